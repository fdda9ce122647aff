package dev.jacquard.components.run;

/** A way of executing the parts of a program: the serial one, or the parallel one. */
interface Runner {
    /** Runs the program, or the rest of it, until it is stopped; returns when nothing of it runs any more. */
    void run();
}

package dev.jacquard.engine;

import dev.jacquard.engine.work.ThreadFunction;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Interrupts of a function against the threads that help with its loop. */
@SuppressWarnings("missing-explicit-ctor") // nobody but jcstress makes them
public class LoopRaces {
    /** A function whose thread interrupts it, and a part of its loop on another thread. */
    private abstract static class Help {
        final ThreadFunction function = new ThreadFunction() {};
        final ThreadFunction part = new ThreadFunction() {};
        /** Set by the function's thread after the interrupt. */
        private volatile boolean over;

        void interrupt() {
            function.begin();
            boolean _ = function.mayBeHelpedBy(part::interruptPartOf);
            boolean _ = function.interrupt();
            function.end();
            over = true;
        }

        @SuppressWarnings("ThreadPriorityCheck") // yields to the thread that interrupts, and relies on nothing
        void awaitInterrupt() {
            while (!over) {
                Thread.yield();
            }
        }
    }

    /** A thread that helps sees that the function is stopped, or is interrupted. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "the part does not begin, or is interrupted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the part goes on")
    @State
    public static class PartAgainstInterrupt extends Help {
        @Actor
        public void function() {
            interrupt();
        }

        @Actor
        public void helper(I_Result result) {
            part.beginPartOf(function);
            boolean begins = !function.isStopped();
            awaitInterrupt();
            result.r1 = begins && !Thread.currentThread().isInterrupted() ? 1 : 0;
            part.end();
        }
    }

    /** A thread that has left its part is not interrupted for it. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "the interrupt came in time, and is forgotten, or not at all")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the interrupt reaches what the thread does next")
    @State
    public static class EndAgainstInterrupt extends Help {
        @Actor
        public void function() {
            interrupt();
        }

        @Actor
        public void helper(I_Result result) {
            part.beginPartOf(function);
            part.end();
            awaitInterrupt();
            result.r1 = Thread.interrupted() ? 1 : 0;
        }
    }
}

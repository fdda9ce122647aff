package dev.jacquard.mpi.transport;

import dev.jacquard.mpi.library.ThreadLevel;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Calls of the library that any thread asks for: made at once if the library takes calls of all threads, else by the
 * one that polls.
 *
 * <p>Threads: any.
 */
final class Calls {
    private final boolean atOnce;
    private final Runnable hurry;
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /**
     * Calls.
     *
     * @param hurry lets the calls that wait be made soon
     */
    Calls(ThreadLevel level, Runnable hurry) {
        this.atOnce = level == ThreadLevel.MULTIPLE;
        this.hurry = hurry;
    }

    /** Returns true if calls are made at once, by the threads that ask for them. */
    boolean areAtOnce() {
        return atOnce;
    }

    /** Makes a call now or soon, in the order of this method's calls by one thread. */
    void run(Runnable call) {
        if (atOnce) {
            call.run();
        } else {
            waiting.add(call);
            hurry.run();
        }
    }

    /** Makes the calls that wait. Called by the one that polls. */
    boolean poll() {
        Runnable call = waiting.poll();
        if (call == null) {
            return false;
        }
        while (call != null) {
            call.run();
            call = waiting.poll();
        }
        return true;
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;

/** A session that a body opens, in which it waits for tasks: its thread runs them. */
final class OwnSession {
    private static final int TASKS = 4;

    private OwnSession() {}

    /** Waits until the body of {@code its} is interrupted, first in a session of its own where it has one. */
    static void outlastLimit(Bodies bodies, Seen its) {
        if (!its.job.manner().own() || !waitIn(bodies, its)) {
            boolean _ = Pace.awaitInterrupt();
        }
    }

    /**
     * Runs tasks in a session of the caller's, the body of {@code its}, longer than its limit takes. An interrupt of
     * the body reaches none of them.
     *
     * @return true if the wait for them was interrupted
     */
    static boolean waitIn(Bodies bodies, Seen its) {
        int[] count = new int[1];
        boolean interrupted = false;
        try (Session own = Session.builder().workers(1 + its.job.id() % 2).open()) {
            Handle<int[]> counted = own.wrap("count", count);
            for (int i = 0; i < TASKS; i++) {
                own.graph().task("counts").updates(counted).run(context -> {
                    if (its.job.fate().limit()) {
                        spin(Bodies.LIMIT_NANOS / 2);
                    }
                    if (Thread.currentThread().isInterrupted()) {
                        bodies.violation(
                                Violation.Kind.ERROR, its + " was interrupted in a task of a session of its own");
                    }
                    context.get(counted)[0]++;
                });
            }
            own.graph().await();
        } catch (WaitInterruptedException e) {
            interrupted = true;
        }
        if (count[0] != TASKS && !interrupted) {
            bodies.violation(Violation.Kind.VALUE, its + " counted " + count[0] + " in a session of its own");
        }
        return interrupted;
    }

    /** Deaf to interrupts, and takes none. */
    private static void spin(long nanos) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < nanos) {
            Thread.onSpinWait();
        }
    }
}

package dev.jacquard.base.concurrent;

/** Operations on threads that several places need. */
public final class Threads {
    private Threads() {}

    /** Waits until {@code thread} has ended, whatever happens; an interrupt is for what the caller does next. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

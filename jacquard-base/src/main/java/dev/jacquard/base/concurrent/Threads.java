package dev.jacquard.base.concurrent;

import java.util.function.BooleanSupplier;

/** Operations on threads that several places need. */
public final class Threads {
    private Threads() {}

    /** Returns the name of a thread for messages; virtual threads have none unless they are given one. */
    public static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "#" + thread.threadId() : name;
    }

    /**
     * Waits in {@code monitor}, which the calling thread holds, until {@code holds}, whatever happens; an interrupt is
     * for what the caller does next.
     */
    public static void await(Object monitor, BooleanSupplier holds) {
        await(monitor, 0, holds);
    }

    /**
     * Waits like {@link #await(Object, BooleanSupplier)}, and looks again after each {@code millis} milliseconds, for
     * what may come without a notification; 0 for never.
     */
    public static void await(Object monitor, long millis, BooleanSupplier holds) {
        boolean interrupted = false;
        while (!holds.getAsBoolean()) {
            try {
                monitor.wait(millis);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

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

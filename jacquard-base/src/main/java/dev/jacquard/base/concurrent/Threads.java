package dev.jacquard.base.concurrent;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Operations on threads that several places need. */
public final class Threads {
    /** A thread that never runs. */
    private static final Thread NEVER_RUN = Thread.ofPlatform().unstarted(() -> {});

    private Threads() {}

    /**
     * Throws unless any thread may access memory, if there is some.
     *
     * @param what the content that is to lie there, for the message
     * @throws IllegalArgumentException if it is confined to one, or its arena is closed
     */
    public static void requireForAll(String what, @Nullable MemorySegment memory) {
        if (memory == null) {
            return;
        }
        if (!memory.isAccessibleBy(NEVER_RUN) || !memory.scope().isAlive()) {
            throw new IllegalArgumentException(what + " cannot lie in memory of an arena that is closed, or confined,"
                    + " which one thread alone may access: take Arena.ofShared, Arena.ofAuto or an array");
        }
    }

    /**
     * Makes daemon threads of the platform, for callers that end them.
     *
     * @param name of each, with its number
     */
    public static ThreadFactory platform(String name) {
        return Thread.ofPlatform().daemon().name(name, 0).factory();
    }

    /**
     * Makes virtual threads, for callers that end them.
     *
     * @param name of each, with its number
     */
    public static ThreadFactory virtual(String name) {
        return Thread.ofVirtual().name(name, 0).factory();
    }

    /** Returns the name of a thread for messages; virtual threads have none unless they are given one. */
    public static String name(Thread thread) {
        String name = thread.getName();
        return name.isEmpty() ? "#" + thread.threadId() : name;
    }

    /**
     * Waits in {@code monitor}, which the calling thread holds, until {@code holds}, whatever happens; an interrupt
     * stays set for the caller.
     */
    public static void await(Object monitor, BooleanSupplier holds) {
        await(monitor, 0, holds);
    }

    /**
     * Waits like {@link #await(Object, BooleanSupplier)}, and looks again after each {@code millis} milliseconds, for
     * changes without a notification; 0 for never.
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

    /** Waits until {@code thread} has ended, whatever happens; an interrupt stays set for the caller. */
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

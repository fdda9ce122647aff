package dev.jacquard.core.testing.random;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A submission for which the stack of its thread has little room, or none. Often that ends the run in the midst of it;
 * what is left then is that all waits end, that conflicting bodies do not meet, and that nothing runs behind the close.
 * Threads: any; one session at a time.
 */
public final class FullStack {
    /** The submission, from 1. */
    private final int submission;
    /** The frames that are left. */
    private final int room;

    private final AtomicInteger left = new AtomicInteger();
    private volatile boolean wasMade;

    /** A call that may find the stack full. */
    public interface Call {
        /** Makes it. */
        void run() throws Exception;
    }

    /** Fills the stack, and makes its call with some frames left. */
    private static final class Descent {
        private final Call call;
        private int room;
        private boolean made;

        Descent(int room, Call call) {
            this.room = room;
            this.call = call;
        }

        int deeper(int level) throws Exception {
            try {
                return level < Integer.MAX_VALUE ? deeper(level + 1) : level;
            } catch (StackOverflowError full) {
                if (made || room-- > 0) {
                    throw full;
                }
                made = true;
                call.run();
                return level;
            }
        }
    }

    FullStack(int submission, int room) {
        this.submission = submission;
        this.room = room;
    }

    /**
     * Initializes classes of the JDK: one that the start of a virtual thread needs now and then, and those of memory
     * segments. Where their first use found the stack full, no later use would succeed in this JVM, and later tests
     * would fail for it.
     */
    public static void prepare() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(1 << 12).fill((byte) 1);
            MemorySegment other = arena.allocate(1 << 12).copyFrom(one);
            if (one.mismatch(other) >= 0) {
                throw new AssertionError("a copy differs");
            }
            Class<?> _ = Class.forName("java.util.concurrent.ConcurrentHashMap$TreeBin");
        } catch (ClassNotFoundException e) {
            throw new AssertionError("another JDK", e);
        }
    }

    /** Makes a call for which the stack has the room of {@code room} frames. */
    public static void with(int room, Call call) throws Exception {
        int _ = new Descent(room, call).deeper(0);
    }

    /** A session begins. */
    void begin() {
        prepare();
        wasMade = false;
        left.set(submission);
    }

    /** True if the submission was made in the last session. */
    boolean wasMade() {
        return wasMade;
    }

    /** Makes a submission; what a full stack throws is a refusal. */
    void submit(Runnable its) {
        if (left.decrementAndGet() != 0) {
            its.run();
            return;
        }
        wasMade = true;
        try {
            with(room, its::run);
        } catch (StackOverflowError full) {
            throw new IllegalStateException("the stack is full as the program says", full);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("no such exception is thrown", e);
        }
    }

    @Override
    public String toString() {
        return "submission " + submission + " with room for " + room + " frames";
    }
}

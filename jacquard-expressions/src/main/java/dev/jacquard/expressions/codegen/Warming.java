package dev.jacquard.expressions.codegen;

import dev.jacquard.base.clock.Clock;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Repeats calls of no use until the JVM has compiled the called methods, so that tasks find them compiled. A separate
 * thread repeats all calls in turn, and ends when there is none left.
 *
 * <p>Bounds: no call is repeated when it was added {@link #MOST_NANOS} ago, and no wait is longer than
 * {@link #MOST_WAIT_NANOS}.
 *
 * <p>Threads: any.
 */
final class Warming {
    /** The time after which a call is repeated no more, compiled or not. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The longest wait of {@link #await}. */
    static final long MOST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

    /** The repetitions of a turn: enough for their time to be measured. */
    private static final int TURN = 8;

    /**
     * The repetitions that the JVM counts before it compiles. After them come single ones with pauses, which leave it
     * the core: many more, while a loop waits for its turn, and the JVM compiles it a second time, from its midst on.
     */
    private static final int COUNTED = 160;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * One segment of each kind that a program may make later, when its loops are compiled: when the first one of a kind
     * comes, the JVM throws away the compiled code that uses segments, loops in lanes among it.
     */
    private static final List<MemorySegment> KINDS = List.of(
            MemorySegment.ofArray(new byte[0]),
            MemorySegment.ofArray(new short[0]),
            MemorySegment.ofArray(new char[0]),
            MemorySegment.ofArray(new int[0]),
            MemorySegment.ofArray(new long[0]),
            MemorySegment.ofArray(new float[0]),
            MemorySegment.ofArray(new double[0]));

    private static final System.Logger LOG = System.getLogger(Warming.class.getName());

    /** A call and its state. Confined to the thread that repeats it. */
    private static final class Call {
        private final Runnable body;
        private final long compiledNanos;
        private final long end;
        private final Consumer<Boolean> then;
        private int repetitions;

        Call(Runnable body, long compiledNanos, long end, Consumer<Boolean> then) {
            this.body = body;
            this.compiledNanos = compiledNanos;
            this.end = end;
            this.then = then;
        }

        /** Runs a turn; returns true if there is no need for another one. */
        boolean repeat(Clock clock) {
            int turn = repetitions < COUNTED ? TURN : 1;
            long begin = clock.nanoTime();
            for (int i = 0; i < turn; i++) {
                body.run();
            }
            repetitions += turn;
            long now = clock.nanoTime();
            boolean isCompiled = now - begin <= turn * compiledNanos;
            boolean isOver = isCompiled || now - end >= 0;
            if (isOver) {
                then.accept(isCompiled);
            }
            return isOver;
        }
    }

    private final Executor threads;
    private final Clock clock;
    /** The calls but the one in progress; guarded by this. */
    private final Queue<Call> calls = new ArrayDeque<>();
    /** True while there is a thread; guarded by this. */
    private boolean runs;
    /** True when no call is repeated any more; guarded by this. */
    private boolean stopped;

    /** @param threads makes a thread that runs the given action, and ends with it */
    Warming(Executor threads, Clock clock) {
        this.threads = threads;
        this.clock = clock;
        KINDS.forEach(Objects::requireNonNull); // their classes are loaded
    }

    /**
     * Adds a call.
     *
     * @param compiledNanos its time is longer until it is compiled, and at most this from then on
     */
    void add(Runnable body, long compiledNanos) {
        add(body, compiledNanos, isCompiled -> {});
    }

    /**
     * Like {@link #add(Runnable, long)}.
     *
     * @param then called once, after the last repetition, with true if it is compiled; false if it is not, if it fails,
     *     or if it is removed; does not block
     */
    synchronized void add(Runnable body, long compiledNanos, Consumer<Boolean> then) {
        stopped = false;
        calls.add(new Call(body, compiledNanos, clock.nanoTime() + MOST_NANOS, then));
        if (!runs) {
            runs = true;
            threads.execute(this::run);
        }
    }

    /** Removes all calls: the thread ends after the turn that it is at. */
    synchronized void stop() {
        stopped = true;
        calls.forEach(call -> call.then.accept(false));
        calls.clear();
    }

    /** Waits until no call is left, or for {@link #MOST_WAIT_NANOS}, or until the thread is interrupted. */
    synchronized void await() {
        long end = clock.nanoTime() + MOST_WAIT_NANOS;
        try {
            for (long left = MOST_WAIT_NANOS; runs && left > 0; left = end - clock.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        for (Optional<Call> next = next(); next.isPresent(); next = next()) {
            Call call = next.get();
            try {
                if (!call.repeat(clock)) {
                    again(call);
                }
            } catch (RuntimeException | Error e) { // this thread is all that warms, and warming all that failed
                LOG.log(Level.WARNING, "a loop failed that was run to have it compiled: it is compiled later", e);
                call.then.accept(false);
            }
            if (call.repetitions > COUNTED) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private synchronized void again(Call call) {
        if (stopped) {
            call.then.accept(false);
        } else {
            calls.add(call);
        }
    }

    /** Returns the next call in turn; with none the thread is over. */
    private synchronized Optional<Call> next() {
        if (calls.isEmpty()) {
            runs = false;
            notifyAll();
        }
        return Optional.ofNullable(calls.poll());
    }
}

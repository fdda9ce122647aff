package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An interpreted loop that a loop in lanes replaces when that pays. The JVM takes some tenths of a second to compile a
 * loop, which is some hundred times as slow until then; the {@link Interpreter} is compiled after its first rows, and
 * some five times as slow as lanes. So it runs until it has computed {@link #WORK} values. Then another thread has the
 * loop in lanes compiled, and runs go on with that loop from then on; where several attempts come to nothing they go on
 * with a plain loop, until the next one. All compute the same bits.
 *
 * <p>Threads: any. The counter of values is written by all threads that run the first loop, without order: an update
 * that is lost delays the other loop.
 */
final class TieredLoop extends Loop {
    /** The values that are computed before the loop in lanes is compiled: some 0.1 seconds of work. */
    static final long WORK = 1L << 27;

    /** The attempts that may end before the JVM has compiled all: it goes on concurrently. */
    private static final int ATTEMPTS = 3;
    /** How much more work is to be done before the next attempt, after these. */
    private static final int LATER = 4;

    private final Loop first;
    private final Loop plain;
    private final int values;
    private final Consumer<TieredLoop> request;
    /** The loop that runs. Written by the thread that has the loop in lanes compiled; read by each run. */
    private volatile Loop now;
    /** Values computed by other loops than that in lanes; see above. */
    private long work;
    /** The work at which the next attempt begins. Written before {@link #requested} is unset. */
    private long enough = WORK;
    /** Written by the thread that made the last one. */
    private int attempts;
    /** True from an attempt's begin to its end without a loop, and for good after one that led to a loop. */
    private final AtomicBoolean requested = new AtomicBoolean();

    /**
     * @param first runs first
     * @param plain runs after attempts that came to nothing
     * @param values the values that the loop computes per point
     * @param request begins an attempt, which ends with a call of {@link #replace} or {@link #keep}; does not block
     */
    TieredLoop(Loop first, Loop plain, int values, Consumer<TieredLoop> request) {
        this.first = first;
        this.plain = plain;
        this.values = values;
        this.request = request;
        this.now = first;
    }

    @Override
    public void run(Binding fields, double[] parameters, Range range) {
        Loop loop = now;
        loop.run(fields, parameters, range);
        if (isBefore(loop)) {
            work += range.points() * values;
            if (work >= enough) {
                ask();
            }
        }
    }

    /** Begins an attempt, unless one was made and none is due. */
    void ask() {
        if (requested.compareAndSet(false, true)) {
            request.accept(this);
        }
    }

    /** Goes on with a loop in lanes, which is compiled. */
    void replace(Loop lanes) {
        now = lanes;
    }

    /** Goes on without the loop in lanes, and asks again after more work. */
    void keep() {
        attempts++;
        if (attempts < ATTEMPTS) {
            enough = work;
        } else {
            now = plain;
            enough = LATER * Math.max(enough, work);
        }
        requested.set(false);
    }

    /** Returns true if runs begin with the loop in lanes. */
    boolean isReplaced() {
        return !isBefore(now);
    }

    private boolean isBefore(Loop loop) {
        return loop == first || loop == plain;
    }

    @Override
    public boolean likesLongRows() {
        return first.likesLongRows() && plain.likesLongRows();
    }
}

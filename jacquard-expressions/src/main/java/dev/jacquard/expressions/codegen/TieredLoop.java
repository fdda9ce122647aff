package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A plain loop that a loop in lanes replaces when that pays. The JVM compiles a plain loop within milliseconds; a loop
 * in lanes is some hundred times as slow until it is compiled, which takes the JVM some hundred milliseconds. So the
 * plain loop runs until it has computed {@link #WORK} values. Then another thread has the loop in lanes compiled, and
 * runs go on with that loop from then on. Both compute the same bits.
 *
 * <p>Threads: any. The counter of values is written by all threads that run the plain loop, without order: an update
 * that is lost delays the other loop.
 */
final class TieredLoop extends Loop {
    /** The values that the plain loop computes before the other one is compiled: some 0.1 to 0.3 seconds of work. */
    static final long WORK = 1L << 28;

    /** How much more work is to be done before the next attempt, after one that came to nothing. */
    private static final int LATER = 4;

    private final Loop plain;
    private final int values;
    private final Consumer<TieredLoop> request;
    /** The loop that runs. Written once, by the thread that has the loop in lanes compiled; read by each run. */
    private volatile Loop now;
    /** Values computed by the plain loop; see above. */
    private long work;
    /** The work at which the next attempt begins. Written before {@link #requested} is unset. */
    private long enough = WORK;
    /** True from an attempt's begin to its end without a loop, and for good after one that led to a loop. */
    private final AtomicBoolean requested = new AtomicBoolean();

    /**
     * @param values the values that the loop computes per point
     * @param request begins an attempt, which ends with a call of {@link #replace} or {@link #keep}; does not block
     */
    TieredLoop(Loop plain, int values, Consumer<TieredLoop> request) {
        this.plain = plain;
        this.values = values;
        this.request = request;
        this.now = plain;
    }

    @Override
    public void run(Binding fields, double[] parameters, Range range) {
        Loop loop = now;
        loop.run(fields, parameters, range);
        if (loop == plain) {
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

    /** Goes on with the plain loop, and asks again after more work. */
    void keep() {
        enough *= LATER;
        requested.set(false);
    }

    /** Returns true if runs begin with the loop in lanes. */
    boolean isReplaced() {
        return now != plain;
    }

    @Override
    public boolean likesLongRows() {
        return plain.likesLongRows();
    }
}

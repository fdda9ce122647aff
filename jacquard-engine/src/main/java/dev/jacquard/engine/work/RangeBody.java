package dev.jacquard.engine.work;

/**
 * The work for a part of a range of numbers; see {@link WorkerContext#parallelFor}. Called by several threads at a
 * time.
 */
@FunctionalInterface
public interface RangeBody {
    /**
     * Does the work for {@code from}, {@code from + 1}, … {@code to - 1}.
     *
     * @throws Exception for any failure; it ends the loop
     */
    void run(long from, long to) throws Exception;
}

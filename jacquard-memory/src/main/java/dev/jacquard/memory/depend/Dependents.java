package dev.jacquard.memory.depend;

/**
 * The tracked tasks, as a tracker sees them.
 *
 * @param <T> what is tracked; tasks
 */
public interface Dependents<T> {
    /**
     * Makes {@code later} wait for {@code earlier}, unless that is over.
     *
     * @param carriesFailure whether {@code later} sees what {@code earlier} writes, so that it cannot run when that
     *     fails
     */
    void link(T earlier, T later, boolean carriesFailure);

    /**
     * A number that changes when everything that is tracked is known to be over, and nothing of it matters any more:
     * then no tracker need look at those tasks.
     */
    default int epoch() {
        return 0;
    }

    /**
     * Returns true if {@code earlier} is over and left nothing that a later access must know of: a failed writer leaves
     * poisoned data.
     */
    boolean isForgotten(T earlier, boolean wrote);
}

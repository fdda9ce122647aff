package dev.jacquard.core.depend;

/**
 * What a tracker asks of those that it tracks.
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
     * then nobody need look at those tasks.
     */
    default int epoch() {
        return 0;
    }

    /**
     * Whether {@code earlier} is over and left nothing behind that a later access must know of: a failed writer leaves
     * poisoned data.
     */
    boolean isForgotten(T earlier, boolean wrote);
}

package dev.jacquard.flow;

import dev.jacquard.flow.liveness.Prover;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.runtime.RunPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proofs of a graph, as far as they are known. A graph whose pipelines have as many copies has the same proof.
 *
 * <p>Threads: any thread may ask. The fields are volatile, and any thread writes them: all proofs of an equal number of
 * copies are equal.
 */
final class Proofs {
    /** The number of states after which a proof gives up: some seconds. */
    private static final int STATES = 20_000;
    /** The number of states after which a check gives up: some tens of milliseconds. */
    private static final int CHECKED_STATES = 500;

    private volatile @Nullable Known proof;
    /** As above, with {@link #CHECKED_STATES}. */
    private volatile @Nullable Known checked;

    /** A proof for the number of copies of each pipeline. */
    private record Known(List<Integer> copies, Proof proof) {}

    /** Returns the proof, which may take some seconds. */
    Proof of(Flattening unfolding) {
        Known known = proof;
        List<Integer> copies = copies(unfolding);
        if (known == null || !known.copies.equals(copies)) {
            known = new Known(copies, Prover.prove(new Rates(unfolding).network(), STATES));
            proof = known;
        }
        return known.proof;
    }

    /** Returns the proof, or what a short search says. */
    Proof soon(Flattening unfolding) {
        Known full = proof;
        Known known = checked;
        List<Integer> copies = copies(unfolding);
        if (full != null && full.copies.equals(copies)) {
            return full.proof;
        }
        if (known == null || !known.copies.equals(copies)) {
            known = new Known(copies, Prover.prove(new Rates(unfolding).network(), CHECKED_STATES));
            checked = known;
        }
        return known.proof;
    }

    private static List<Integer> copies(Flattening unfolding) {
        return unfolding.pipelines.stream()
                .map(RunPlan.PipelinePlan::copies)
                .map(List::size)
                .toList();
    }
}

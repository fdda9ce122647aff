package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.mesh.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints of all ranks, as one of them makes them: it saves its part, and rank 0 completes the savepoint when
 * all have.
 *
 * <p>Threads: one at a time, while no component of the rank is executed.
 */
final class RankSaving {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);

    private final Communicator comm;
    private final RankCheckpoint checkpoint;
    private final ProgramState state;
    private final RunMode mode;
    private final List<Integer> placement;
    private final @Nullable RankSavepoints agreement;

    /**
     * Savepoints in a mode.
     *
     * @param comm of all ranks, for this alone
     * @param placement the rank of each part; empty if each runs on all
     * @param agreement of ranks that each run some parts; null if each runs all
     */
    RankSaving(
            Communicator comm,
            RankCheckpoint checkpoint,
            ProgramState state,
            RunMode mode,
            List<Integer> placement,
            @Nullable RankSavepoints agreement) {
        this.comm = comm;
        this.checkpoint = checkpoint;
        this.state = state;
        this.mode = mode;
        this.placement = placement;
        this.agreement = agreement;
    }

    @Nullable
    RankSavepoints agreement() {
        return agreement;
    }

    /**
     * Collective: restores all ranks, if the run goes on from a savepoint, when all have opened their parts, which may
     * write files then. Returns the place at which it goes on; null if it begins.
     *
     * @throws dev.jacquard.components.program.InputException if the part of this rank is missing or another program's
     * @throws InterruptedException if another rank has failed
     */
    @Nullable
    ResumePoint restore(Stops stops, Plan plan, TopState top, OpenedParts parts, Passes passes) throws Exception {
        if (!checkpoint.resumes()) {
            return null;
        }
        stops.await(comm::barrier);
        checkpoint.restoreFiles();
        stops.await(comm::barrier);
        checkpoint.restore(top, parts, passes, state);
        String here = ResumePoint.of(plan, top, passes, parts::isHere).text();
        List<String> all = new ArrayList<>();
        stops.await(() -> all.addAll(comm.allgatherValues(TEXT, here)));
        return ResumePoint.ofTexts(plan, all);
    }

    /** Saves the part of this rank. */
    void save(TopState top, OpenedParts parts, Passes passes) throws IOException {
        checkpoint.save(top, parts, passes, state);
    }

    /** Rank 0: all ranks have saved their parts. */
    void complete() throws IOException {
        checkpoint.complete(mode, comm.size(), placement, state);
    }

    /** The savepoint is complete. */
    void completed() throws IOException {
        checkpoint.completed();
    }

    /**
     * Collective: completes a savepoint of ranks that all run all parts.
     *
     * @param where the pass after which this rank has saved its part
     * @throws InterruptedException if the run is stopped
     */
    void completeTogether(Stops stops, String where) throws Exception {
        stops.await(() -> requireEqual(comm.allgatherValues(TEXT, where)));
        if (comm.rank() == 0) {
            complete();
        }
        stops.await(comm::barrier);
        completed();
    }

    private static void requireEqual(List<String> all) throws ComponentFailedException {
        for (int rank = 1; rank < all.size(); rank++) {
            if (!all.get(rank).equals(all.getFirst())) {
                throw new ComponentFailedException("rank 0 is to be saved after " + all.getFirst() + ", and rank "
                        + rank + " after " + all.get(rank) + ": expected loops of the same passes on all ranks");
            }
        }
    }
}

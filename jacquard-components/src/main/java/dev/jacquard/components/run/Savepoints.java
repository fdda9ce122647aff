package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Block;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The moments at which a run saves its state: between passes of an outermost loop, when no component is executed.
 *
 * <p>Threads: {@code save} by one at a time; the rest any.
 */
final class Savepoints {
    private final Saver saver;
    /** Null for a program without ranks. */
    private final @Nullable RankSaving ranks;

    private final TaskGraph tasks;
    private final Plan plan;
    private final Passes passes;
    private final TopState top;
    private final int every;
    private final @Nullable ResumePoint resumed;
    /** By loop: its place in the program's block; -1 of one inside of another. */
    private final int[] places;

    /** Saves the state of the program, or of a rank. */
    @FunctionalInterface
    interface Saver {
        void save() throws IOException;
    }

    /**
     * The savepoints of a run.
     *
     * @param saver saves the state
     * @param ranks completes savepoints of all ranks; null for a program without ranks
     * @param tasks the tasks of the components
     * @param top how far the program is
     * @param every the passes of an outermost loop between two savepoints
     * @param resumed the place at which the run went on; null if it began
     */
    Savepoints(
            Saver saver,
            @Nullable RankSaving ranks,
            TaskGraph tasks,
            Plan plan,
            Passes passes,
            TopState top,
            int every,
            @Nullable ResumePoint resumed) {
        this.saver = saver;
        this.ranks = ranks;
        this.tasks = tasks;
        this.plan = plan;
        this.passes = passes;
        this.top = top;
        this.every = every;
        this.resumed = resumed;
        this.places = new int[plan.loops().size()];
        Arrays.fill(places, -1);
        Block block = plan.top();
        for (int place = 0; place < block.size(); place++) {
            int loop = plan.loop(block.item(place));
            if (loop >= 0) {
                places[loop] = place;
            }
        }
    }

    /** Returns the place at which the run went on; null if it began. */
    @Nullable
    ResumePoint resumed() {
        return resumed;
    }

    TopState top() {
        return top;
    }

    /** Returns the place of an outermost loop. */
    int placeOf(int loop) {
        return places[loop];
    }

    boolean isOutermost(int loop) {
        return places[loop] >= 0;
    }

    /** Returns true if the state is to be saved after the pass of the loop that is over. */
    boolean isDue(int loop) {
        return places[loop] >= 0 && passes.current(loop) % every == 0;
    }

    /**
     * Saves the state after the tasks that components have submitted and not waited for.
     *
     * @throws ComponentFailedException if one of these has failed: a program that goes on without it is another program
     */
    void save() throws IOException, ComponentFailedException {
        try {
            tasks.await();
        } catch (TaskFailedException e) {
            throw ComposedProgram.unheard(e);
        } catch (CancellationException e) { // by a component, which knows of it
            for (Throwable beside : e.getSuppressed()) {
                if (beside instanceof TaskFailedException failure) {
                    throw ComposedProgram.unheard(failure);
                }
            }
        }
        saver.save();
    }

    /**
     * Over ranks that all run all parts: waits until all have saved their states after the same pass, and completes the
     * savepoint. Without ranks it is complete.
     *
     * @throws InterruptedException if the run is stopped
     */
    void complete(Stops stops, int loop) throws Exception {
        if (ranks != null) {
            String exit = plan.parts().get(plan.loops().get(loop).exit()).name();
            ranks.completeTogether(stops, "pass " + passes.current(loop) + " of the loop to '" + exit + "'");
        }
    }

    /** Returns the agreement of ranks that each run some parts; null in another mode. */
    @Nullable
    RankSavepoints agreement() {
        return ranks == null ? null : ranks.agreement();
    }

    /** Saves the states of such ranks, on a separate thread, see {@link RankSavepoints#serve}. */
    void serve(Stops stops, Consumer<List<Integer>> release) throws Exception {
        RankSaving whole = Objects.requireNonNull(ranks);
        Objects.requireNonNull(whole.agreement()).serve(stops, this::save, whole, release);
    }
}

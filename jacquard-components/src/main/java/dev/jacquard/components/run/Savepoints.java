package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Block;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CancellationException;

/**
 * The moments at which a run saves its state: between passes of an outermost loop, when no component is executed.
 *
 * <p>Threads: {@code save} by one at a time; the rest any.
 */
final class Savepoints {
    private final ProgramCheckpoint checkpoint;
    private final TaskGraph tasks;
    private final OpenedParts parts;
    private final Passes passes;
    private final TopState top;
    private final int every;
    /** By loop: its place in the program's block; -1 of one inside of another. */
    private final int[] places;

    Savepoints(
            ProgramCheckpoint checkpoint,
            TaskGraph tasks,
            Plan plan,
            OpenedParts parts,
            Passes passes,
            TopState top,
            int every) {
        this.checkpoint = checkpoint;
        this.tasks = tasks;
        this.parts = parts;
        this.passes = passes;
        this.top = top;
        this.every = every;
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

    /** Returns true if the state is to be saved behind the pass of the loop that is over. */
    boolean isDue(int loop) {
        return places[loop] >= 0 && passes.current(loop) % every == 0;
    }

    /**
     * Saves the state behind the tasks that components have submitted and not waited for.
     *
     * @throws ComponentFailedException if one of these has failed: what goes on without it is another program
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
        checkpoint.save(top, parts, passes);
    }
}

package dev.jacquard.apps.graphs;

import dev.jacquard.apps.replay.ProgramGraph;
import dev.jacquard.components.program.InputException;
import java.nio.file.Path;

/**
 * Reads a task program or a WfFormat workflow instance, both of which are JSON. The sizes of a workflow's files become
 * those of its edges, in bytes.
 */
final class ProgramReader {
    private static final double MICROS_PER_SECOND = 1e6;

    private ProgramReader() {}

    static GraphFile read(Path file) {
        ProgramGraph graph = ProgramGraph.read(file);
        if (graph.tasks().size() > GraphDraft.MOST_TASKS) {
            throw new InputException(file + ": it has " + graph.tasks().size() + " tasks; expected "
                    + GraphDraft.MOST_TASKS + " at most");
        }
        boolean seconds = graph.isWorkflow();
        GraphDraft draft = new GraphDraft(file.toString());
        for (ProgramGraph.Task task : graph.tasks()) {
            draft.task(
                    task.name(),
                    task.priority(),
                    task.isMain(),
                    seconds ? task.micros() / MICROS_PER_SECOND : task.micros());
        }
        graph.edges().forEach(edge -> draft.edge(edge.from(), edge.to(), (double) edge.bytes()));
        return draft.build(seconds ? GraphFile.Unit.SECONDS : GraphFile.Unit.MICROS, GraphFile.Processors.NONE);
    }
}

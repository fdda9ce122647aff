package dev.jacquard.bench.graphs;

import dev.jacquard.bench.graphs.Shape.Work;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import java.util.Arrays;

/** Jacquard: recorded once, with its edges inferred from accesses, and run again and again. */
final class JacquardGraph implements Shape.Runner {
    private final Session session;
    private final CompiledGraph graph;

    /** Records {@code shape}. */
    public JacquardGraph(int workers, Shape shape, Work work) {
        session = Session.builder().workers(workers).open();
        Resource[] cells = new Resource[shape.cells()];
        Arrays.setAll(cells, cell -> session.resource("cell"));
        TaskBody[] bodies = new TaskBody[shape.tasks()]; // side by side in memory
        Arrays.setAll(bodies, task -> context -> work.run(task));
        graph = session.record("bench", recorder -> {
            for (int task = 0; task < shape.tasks(); task++) {
                TaskBuilder builder = recorder.task("task");
                for (int i = 0; i < shape.reads().count(task); i++) {
                    builder.reads(cells[shape.reads().get(task, i)]);
                }
                builder.updates(cells[shape.own(task)]).run(bodies[task]);
            }
        });
    }

    @Override
    public void run() {
        graph.run();
    }

    @Override
    public void close() {
        session.close();
    }
}

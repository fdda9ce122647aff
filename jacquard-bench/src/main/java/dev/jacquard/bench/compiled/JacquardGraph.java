package dev.jacquard.bench.compiled;

import dev.jacquard.bench.shape.Runner;
import dev.jacquard.bench.shape.Shape;
import dev.jacquard.bench.shape.Work;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.session.Session;

/** Jacquard: recorded once, with its edges inferred from accesses, and run again and again. */
public final class JacquardGraph implements Runner {
    private final Session session;
    private final CompiledGraph graph;

    /** Records {@code shape}. */
    public JacquardGraph(int workers, Shape shape, Work work) {
        session = Session.builder().workers(workers).open();
        Resource[] cells = new Resource[shape.cells()];
        for (int cell = 0; cell < cells.length; cell++) {
            cells[cell] = session.resource("cell");
        }
        graph = session.record("bench", recorder -> {
            for (int task = 0; task < shape.tasks(); task++) {
                TaskBuilder builder = recorder.task("task");
                for (int i = 0; i < shape.reads().count(task); i++) {
                    builder.reads(cells[shape.reads().get(task, i)]);
                }
                int number = task;
                builder.updates(cells[shape.own(task)]).run(context -> work.run(number));
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

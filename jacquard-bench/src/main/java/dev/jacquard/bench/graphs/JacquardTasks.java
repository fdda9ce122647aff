package dev.jacquard.bench.graphs;

import dev.jacquard.bench.graphs.Shape.Work;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import java.util.Arrays;

/** Jacquard: the submitter declares accesses, and is one of the workers. */
final class JacquardTasks implements Shape.Runner {
    /** The number of live tasks that caches hold. Other systems bound theirs by themselves. */
    static final int WINDOW = 4096;

    private final Shape shape;
    private final Work work;
    private final int window;
    private final Session session;
    private final Resource[] handles;

    /** See {@link Shape.Maker}. */
    public JacquardTasks(int workers, Shape shape, Work work) {
        this(workers, shape, work, 0, WINDOW);
    }

    /**
     * With a trace.
     *
     * @param spans of each worker's trace, the newest; 0 without one
     * @param window how many tasks may be live; 0 for any number
     */
    public JacquardTasks(int workers, Shape shape, Work work, int spans, int window) {
        this.shape = shape;
        this.work = work;
        this.window = window;
        session = Session.builder().workers(workers).trace(spans).open();
        handles = new Resource[shape.cells()];
        Arrays.setAll(handles, cell -> session.resource("cell"));
    }

    @Override
    public void run() {
        TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
        if (window > 0) {
            graph.window(window);
        }
        Work its = work;
        Shape.Lists reads = shape.reads();
        int tasks = shape.tasks();
        for (int next = 0; next < tasks; next++) {
            int task = next;
            TaskBuilder builder = graph.task("task");
            for (int i = 0; i < reads.count(task); i++) {
                builder.reads(handles[reads.get(task, i)]);
            }
            builder.updates(handles[shape.own(task)]).run(ctx -> its.run(task));
        }
        graph.await();
    }

    @Override
    public void close() {
        session.close();
    }
}

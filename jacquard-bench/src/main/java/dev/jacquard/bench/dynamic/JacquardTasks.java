package dev.jacquard.bench.dynamic;

import dev.jacquard.bench.shape.Board;
import dev.jacquard.bench.shape.Lists;
import dev.jacquard.bench.shape.Shape;
import dev.jacquard.bench.shape.ShapeContender;
import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;

/** Jacquard: the submitter declares accesses, and is one of the workers. */
final class JacquardTasks extends ShapeContender {
    private final Session session;
    private final Resource[] handles;

    JacquardTasks(int workers, Shape shape, boolean checking, Clock clock) {
        super("jacquard", workers, shape, checking, clock);
        session = Session.builder().workers(workers).open();
        handles = new Resource[shape.cells()];
        for (int cell = 0; cell < handles.length; cell++) {
            handles[cell] = session.resource("cell");
        }
    }

    @Override
    protected void runAll() {
        TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
        Board board = board();
        Shape shape = shape();
        Lists reads = shape.reads();
        int tasks = shape.tasks();
        for (int next = 0; next < tasks; next++) {
            int task = next;
            TaskBuilder builder = graph.task("task");
            for (int i = 0; i < reads.count(task); i++) {
                builder.reads(handles[reads.get(task, i)]);
            }
            builder.updates(handles[shape.own(task)]).run(ctx -> board.run(task));
        }
        graph.await();
    }

    @Override
    public void close() {
        session.close();
    }
}

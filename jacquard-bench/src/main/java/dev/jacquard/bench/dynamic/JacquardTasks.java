package dev.jacquard.bench.dynamic;

import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;

/** Jacquard: the submitter declares accesses, and is one of the workers. */
final class JacquardTasks extends TaskContender {
    private final Session session;
    private final Resource[] handles;

    JacquardTasks(int workers, Shape shape, Clock clock) {
        super("jacquard", workers, shape, clock);
        session = Session.builder().workers(workers).open();
        handles = new Resource[shape.cells()];
        for (int cell = 0; cell < handles.length; cell++) {
            handles[cell] = session.resource("cell");
        }
    }

    @Override
    void runAll(Shape tasks, Board.Body[] bodies) {
        TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
        for (int task = 0; task < bodies.length; task++) {
            int own = tasks.own()[task];
            int left = tasks.left()[task];
            int up = tasks.up()[task];
            TaskBuilder builder = graph.task("task");
            if (left != own) {
                builder.reads(handles[left]);
            }
            if (up != own) {
                builder.reads(handles[up]);
            }
            Board.Body body = bodies[task];
            builder.updates(handles[own]).run(ctx -> body.run());
        }
        graph.await();
    }

    @Override
    public void close() {
        session.close();
    }
}

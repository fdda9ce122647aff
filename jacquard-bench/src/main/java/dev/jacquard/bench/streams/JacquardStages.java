package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import java.util.ArrayDeque;
import java.util.Queue;

/** Jacquard: three tasks of a flow graph, on the engine's workers or with a thread each. */
final class JacquardStages extends StageContender {
    private final Session session;
    private final FlowRun.Options options;
    private final Queue<LastStage> ends = new ArrayDeque<>();
    private final FlowGraph<Integer, Integer> graph;

    private JacquardStages(
            String system, int workers, Session session, FlowRun.Options options, int items, Clock clock) {
        super(system, workers, items, clock);
        this.session = session;
        this.options = options.withInputBound(Pipeline.BOUND);
        graph = FlowGraph.build("pipeline", g -> {
            FlowTask<Integer, Integer> first = g.task("first", 1, () -> (item, out) -> out.emit(item));
            FlowTask<Integer, Integer> second = g.task("second", 1, () -> (item, out) -> out.emit(item));
            FlowTask<Integer, Integer> third = g.task("third", 1, () -> {
                LastStage last = ends.element();
                return (item, out) -> last.accept(item);
            });
            g.input().to(first).to(second).to(third).endsHere();
        });
    }

    /** Stages that share the engine's workers, of which the sender is one. */
    static JacquardStages shared(int workers, int items, Clock clock) {
        Session session = Session.builder().workers(workers).open();
        return new JacquardStages("jacquard", workers, session, FlowRun.Options.defaults(), items, clock);
    }

    /** A thread per stage, and the sender. */
    static JacquardStages dedicated(int items, Clock clock) {
        FlowRun.Options options = FlowRun.Options.defaults().withDedicatedThreads();
        Session session = Session.builder().workers(1).open();
        return new JacquardStages("jacquard-dedicated", Pipeline.STAGES + 1, session, options, items, clock);
    }

    @Override
    LastStage stream(int count) throws InterruptedException {
        LastStage last = new LastStage();
        ends.clear();
        ends.add(last);
        try (FlowRun<Integer, Integer> run = graph.start(session, options)) {
            for (int number = 0; number < count; number++) {
                run.send(item(number));
            }
            run.finish();
            run.await();
        }
        return last;
    }

    @Override
    public void close() {
        session.close();
    }
}

package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Workload.Contender;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Items through a graph on emulated devices, and the time relative to that of another contender in the same round. */
abstract class EmulatedContender extends Contender {
    private static final int WORKERS = 2;

    private final FlowGraph<Integer, Integer> graph;
    private final int items;
    private final Clock clock;
    /** The contender whose last round is compared; null in that one itself. */
    private final @Nullable EmulatedContender leader;

    private final Session session;
    /** The microseconds per item of the last round. */
    private double last;

    EmulatedContender(
            String kind,
            FlowGraph<Integer, Integer> graph,
            List<String> devices,
            int items,
            Clock clock,
            @Nullable EmulatedContender leader) {
        super("jacquard-" + kind, WORKERS);
        this.graph = graph;
        this.items = items;
        this.clock = clock;
        this.leader = leader;
        SessionBuilder builder = Session.builder().workers(WORKERS);
        devices.forEach(device -> builder.device(EmulatedDevice.offer(device)));
        this.session = builder.open();
    }

    @Override
    public final Map<String, Double> round() {
        try (FlowRun<Integer, Integer> run = graph.start(session)) {
            long start = clock.nanoTime();
            run.sendAll(IntStream.range(0, items).boxed().toList());
            run.finish();
            run.await();
            last = (clock.nanoTime() - start) / 1e3 / items;
            verify(run.report().undelivered() == items, "the number of items");
            return figures(run, last, last / (leader == null ? last : leader.last));
        }
    }

    /**
     * Returns the figures of a round.
     *
     * @param micros the time per item
     * @param relative the time divided by that of the leader
     */
    abstract Map<String, Double> figures(FlowRun<Integer, Integer> run, double micros, double relative);

    @Override
    public final void close() {
        session.close();
    }
}

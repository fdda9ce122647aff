package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Items with kernels that sleep, on an emulated device that needs 1 ms for each and one that needs 4 ms: split as is
 * best for these times, one after the other to both, and routed by measured time. Besides the time per item:
 * {@code static}, the time divided by that of the best split in the same round.
 */
final class EmulatedRouting extends Workload {
    private static final String STATIC = ".static";
    private static final int SLOWER = 4;
    private static final int ITEMS = 400;
    private static final int QUICK_ITEMS = 20;
    private static final int WORKERS = 2;
    private static final String SLOW = "slow";

    EmulatedRouting() {
        super("flow.routing", "µs/item", new Rounds(0, 1), new Rounds(1, 5));
    }

    @Override
    public String unit(String part) {
        return part.isEmpty() ? unit() : "x";
    }

    /** The best split: the others' times are relative to its time. */
    @Override
    public int leaders() {
        return 1;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int items = plan.quick() ? QUICK_ITEMS : ITEMS;
        Devices best =
                new Devices("static", items, plan.clock(), split((item, loads) -> item % (SLOWER + 1) == 0 ? 1 : 0));
        return List.of(
                best,
                new Devices("round-robin", items, plan.clock(), split(Distribution.roundRobin()), best),
                new Devices("routed", items, plan.clock(), routed(), best));
    }

    private static Kernel sleeping(int millis) {
        return Kernel.named("sleep " + millis)
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("sleep", launch -> Thread.sleep(millis)));
    }

    /** A kernel for each item, on the device of its copy. */
    private static final class Sleeping implements Body<Integer, Integer> {
        private Kernel kernel = sleeping(1);

        @Override
        public void initialize(CopyInfo copy) {
            kernel = sleeping(String.valueOf(copy.device()).equals(SLOW) ? SLOWER : 1);
        }

        @Override
        public void execute(Integer item, Emitter<Integer> out) {
            out.graph().task("sleep").run(kernel);
            out.emitWhenDone(item);
        }
    }

    /** Returns a graph with a copy of its task per device, and a distribution over these. */
    private static FlowGraph<Integer, Integer> split(Distribution<Integer> distribution) {
        FlowGraph<Integer, Integer> inner = FlowGraph.build(
                "device", g -> g.input().to(g.task("sleep", 1, Sleeping::new)).to(g.output()));
        return FlowGraph.build(
                "split",
                g -> g.input()
                        .to(g.pipeline("devices", inner, ExecutionTarget.EMULATED)
                                .distribute(distribution))
                        .to(g.output()));
    }

    private static FlowGraph<Integer, Integer> routed() {
        return FlowGraph.build(
                "routed",
                g -> g.input()
                        .to(g.task("sleep", 2, Sleeping::new)
                                .on(ExecutionTarget.EMULATED)
                                .byMeasuredTime())
                        .to(g.output()));
    }

    private static final class Devices extends Contender {
        private final int items;
        private final Clock clock;
        private final FlowGraph<Integer, Integer> graph;
        /** The contender whose last round is compared; empty in that one itself. */
        private final List<Devices> best;

        private double last;
        private final Session session = Session.builder()
                .workers(WORKERS)
                .device(EmulatedDevice.offer("fast"))
                .device(EmulatedDevice.offer(SLOW))
                .open();

        Devices(String kind, int items, Clock clock, FlowGraph<Integer, Integer> graph, Devices... best) {
            super("jacquard-" + kind, WORKERS);
            this.items = items;
            this.clock = clock;
            this.graph = graph;
            this.best = List.of(best);
        }

        @Override
        public Map<String, Double> round() {
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                long start = clock.nanoTime();
                run.sendAll(IntStream.range(0, items).boxed().toList());
                run.finish();
                run.await();
                last = (clock.nanoTime() - start) / 1e3 / items;
                verify(run.report().undelivered() == items, "the number of items");
                return Map.of(MAIN, last, STATIC, last / (best.isEmpty() ? last : best.getFirst().last));
            }
        }

        @Override
        public void close() {
            session.close();
        }
    }
}

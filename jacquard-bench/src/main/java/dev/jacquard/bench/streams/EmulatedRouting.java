package dev.jacquard.bench.streams;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        Devices best = new Devices("static", split((item, loads) -> item % (SLOWER + 1) == 0 ? 1 : 0), plan, null);
        return List.of(
                best,
                new Devices("round-robin", split(Distribution.roundRobin()), plan, best),
                new Devices("routed", routed(), plan, best));
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

    private static final class Devices extends EmulatedContender {
        Devices(String kind, FlowGraph<Integer, Integer> graph, Plan plan, @Nullable Devices best) {
            super(kind, graph, List.of("fast", SLOW), plan.quick() ? QUICK_ITEMS : ITEMS, plan.clock(), best);
        }

        @Override
        Map<String, Double> figures(FlowRun<Integer, Integer> run, double micros, double relative) {
            return Map.of(MAIN, micros, STATIC, relative);
        }
    }
}

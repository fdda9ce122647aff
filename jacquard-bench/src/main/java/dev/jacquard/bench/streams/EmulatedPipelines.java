package dev.jacquard.bench.streams;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.PipelineBalance;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Items whose kernels sleep a millisecond each, in a pipeline over one, two and four emulated devices. Besides the time
 * per item: {@code linear}, the speed-up over one device in the same round divided by the number of devices, and
 * {@code balance}, the busy time of the least busy copy divided by that of the busiest.
 */
final class EmulatedPipelines extends Workload {
    private static final String LINEAR = ".linear";
    private static final String BALANCE = ".balance";
    private static final int[] DEVICES = {1, 2, 4};
    private static final int ITEMS = 400;
    private static final int QUICK_ITEMS = 16;
    private static final int BUFFERS = 4;

    private static final Kernel SLEEP = Kernel.named("sleep")
            .parameters("x")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("sleep", launch -> Thread.sleep(1)));

    EmulatedPipelines() {
        super("flow.pipelines.emulated", "µs/item", new Rounds(0, 1), new Rounds(1, 5));
    }

    @Override
    public String unit(String part) {
        return part.isEmpty() ? unit() : "x";
    }

    /** One device: the others' speed-up is relative to its time. */
    @Override
    public int leaders() {
        return 1;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Devices one = new Devices(1, plan, null);
        List<Contender> contenders = new ArrayList<>();
        for (int devices : DEVICES) {
            contenders.add(devices == 1 ? one : new Devices(devices, plan, one));
        }
        return contenders;
    }

    /** A kernel for each item, on the device of its copy, on data that a memory edge of the copy lends. */
    private record Sleeping(MemoryEdge<Data> edge) implements Body<Integer, Integer> {
        @Override
        public void execute(Integer item, Emitter<Integer> out) {
            Handle<Data> lent = out.take(edge);
            out.graph().task("sleep").writes(lent.value()).run(SLEEP);
            out.whenDone(then -> {
                then.release(lent);
                then.emit(item);
            });
        }
    }

    private static FlowGraph<Integer, Integer> graph() {
        FlowGraph<Integer, Integer> inner = FlowGraph.build("device", g -> {
            MemoryEdge<Data> edge = g.memory("buffers", BUFFERS, Layout.of(DataType.FLOAT64, 64));
            FlowTask<Integer, Integer> sleep = g.task("sleep", 1, () -> new Sleeping(edge));
            g.input().to(sleep.takes(edge).releases(edge)).to(g.output());
        });
        return FlowGraph.build(
                "emulated",
                g -> g.input()
                        .to(g.pipeline("devices", inner, ExecutionTarget.EMULATED))
                        .to(g.output()));
    }

    private static final class Devices extends EmulatedContender {
        private final int devices;

        Devices(int devices, Plan plan, @Nullable Devices one) {
            super(
                    devices + (devices == 1 ? "-device" : "-devices"),
                    graph(),
                    IntStream.range(0, devices).mapToObj(i -> "emulated" + i).toList(),
                    plan.quick() ? QUICK_ITEMS : ITEMS,
                    plan.clock(),
                    one);
            this.devices = devices;
        }

        @Override
        Map<String, Double> figures(FlowRun<Integer, Integer> run, double micros, double relative) {
            PipelineBalance balance = run.profile().pipelines().getFirst();
            verify(balance.copies().size() == devices, "the number of copies");
            return Map.of(MAIN, micros, LINEAR, 1 / relative / devices, BALANCE, balance.balance());
        }
    }
}

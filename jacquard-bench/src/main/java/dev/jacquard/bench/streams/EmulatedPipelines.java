package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
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
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Items whose kernels sleep a millisecond each, in a pipeline over one, two and four emulated devices. Besides the time
 * per item: {@code linear}, the speed-up over one device in the same round divided by the number of devices, and
 * {@code balance}, the busy time of the least busy copy divided by that of the busiest.
 */
final class EmulatedPipelines extends Workload {
    private static final String LINEAR = "linear";
    private static final String BALANCE = "balance";
    private static final int[] DEVICES = {1, 2, 4};
    private static final int ITEMS = 400;
    private static final int QUICK_ITEMS = 16;
    private static final int BUFFERS = 4;
    private static final int WORKERS = 2;

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
        int items = plan.quick() ? QUICK_ITEMS : ITEMS;
        Devices one = new Devices(1, items, plan.clock());
        List<Contender> contenders = new ArrayList<>();
        for (int devices : DEVICES) {
            contenders.add(devices == 1 ? one : new Devices(devices, items, plan.clock(), one));
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

    private static final class Devices extends Contender {
        private final int devices;
        private final int items;
        private final Clock clock;
        /** The contenders whose last round is compared: the one with one device; empty in that one itself. */
        private final List<Devices> one;

        private final Session session;
        private final FlowGraph<Integer, Integer> graph = graph();
        private double last;

        Devices(int devices, int items, Clock clock, Devices... one) {
            super("jacquard-" + devices + (devices == 1 ? "-device" : "-devices"), WORKERS);
            this.devices = devices;
            this.items = items;
            this.clock = clock;
            this.one = List.of(one);
            SessionBuilder builder = Session.builder().workers(WORKERS);
            for (int i = 0; i < devices; i++) {
                builder.device(EmulatedDevice.offer("emulated" + i));
            }
            this.session = builder.open();
        }

        @Override
        public Map<String, Double> round() {
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                long start = clock.nanoTime();
                run.sendAll(IntStream.range(0, items).boxed().toList());
                run.finish();
                run.await();
                last = (clock.nanoTime() - start) / 1e3 / items;
                PipelineBalance balance = run.profile().pipelines().getFirst();
                verify(balance.copies().size() == devices, "the number of copies");
                double single = one.isEmpty() ? last : one.getFirst().last;
                return Map.of(MAIN, last, LINEAR, single / last / devices, BALANCE, balance.balance());
            }
        }

        @Override
        public void close() {
            session.close();
        }
    }
}

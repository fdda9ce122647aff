package dev.jacquard.bench.devices;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.macro.ForkJoinDriver;
import dev.jacquard.core.macro.MacroTask;
import dev.jacquard.core.macro.MacroTask.Where;
import dev.jacquard.core.macro.PipelineDriver;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A macro task of 200 items that wait 4 ms each, on two threads of the host, on four streams of an emulated device, and
 * on both at once. Besides the time per item: {@code rates}, the rate of both relative to the sum of the two rates
 * alone in the same round.
 */
final class SharedItems extends Workload {
    private static final String RATES = ".rates";
    private static final int ITEMS = 200;
    private static final int QUICK_ITEMS = 20;
    private static final int MILLIS = 4;
    private static final int HOST_THREADS = 2;
    private static final int STREAMS = 4;

    SharedItems() {
        super("macro.split", "µs/item", new Rounds(0, 1), new Rounds(1, 5));
    }

    @Override
    public String unit(String part) {
        return part.isEmpty() ? unit() : "x";
    }

    /** The host and the device alone: the rate of both is relative to theirs. */
    @Override
    public int leaders() {
        return 2;
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int items = plan.quick() ? QUICK_ITEMS : ITEMS;
        Shared host = new Shared(Where.HOST, items, plan.clock());
        Shared device = new Shared(Where.DEVICES, items, plan.clock());
        return List.of(host, device, new Shared(Where.BOTH, items, plan.clock(), host, device));
    }

    private static final class Shared extends Contender {
        private final int items;
        private final Clock clock;
        private final MacroTask<Integer> macro;
        /** The contenders with a part of the places; empty in these themselves. */
        private final List<Shared> alone;

        private double last;
        private final Session session = Session.builder()
                .workers(HOST_THREADS)
                .device(EmulatedDevice.offer("emulated0"))
                .open();

        Shared(Where where, int items, Clock clock, Shared... alone) {
            super("jacquard-" + where.name().toLowerCase(Locale.ROOT), HOST_THREADS);
            this.items = items;
            this.clock = clock;
            this.alone = List.of(alone);
            this.macro = MacroTask.of(items)
                    .body(item -> Thread.sleep(MILLIS))
                    .kernel(Kernel.named("wait")
                            .onDevice(
                                    ExecutionTarget.EMULATED, new EmulatedBody("wait", launch -> Thread.sleep(MILLIS))))
                    .forkJoin(ForkJoinDriver.threads(HOST_THREADS))
                    .pipeline(PipelineDriver.streams(STREAMS))
                    .where(where);
        }

        @Override
        public Map<String, Double> round() {
            long start = clock.nanoTime();
            MacroTask.Report report =
                    macro.submit(session, session.graph().task("items")).join();
            last = (clock.nanoTime() - start) / 1e3 / items;
            verify(report.done() == items, "the number of items");
            double rates = alone.stream().mapToDouble(its -> 1 / its.last).sum();
            return alone.isEmpty() ? Map.of(MAIN, last) : Map.of(MAIN, last, RATES, 1 / last / rates);
        }

        @Override
        public void close() {
            session.close();
        }
    }
}

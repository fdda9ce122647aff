package dev.jacquard.bench.devices;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import java.util.Map;

/**
 * A hundred independent tasks on an emulated device, each of which needs a copy that takes as long as its kernel: the
 * whole time, as a multiple of the time of the same tasks in the same round with a link that costs nothing, or with
 * kernels that do nothing, whichever is longer.
 */
final class Overlap extends Workload {
    private static final int TASKS = 100;
    private static final int QUICK_TASKS = 5;
    private static final int ELEMENTS = 1 << 16;
    private static final long BYTES_PER_SECOND = 1_000_000_000;
    private static final long COPY_NANOS = ELEMENTS * 8L * 1_000_000_000 / BYTES_PER_SECOND;

    Overlap() {
        super("device.overlap", "x", new Rounds(0, 1), new Rounds(3, 11));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return List.of(new Stream(plan.clock(), plan.quick() ? QUICK_TASKS : TASKS));
    }

    private static final class Stream extends Contender {
        private final Clock clock;
        private final int tasks;
        private final double[][] homes;

        Stream(Clock clock, int tasks) {
            super("jacquard", 1);
            this.clock = clock;
            this.tasks = tasks;
            this.homes = new double[tasks][ELEMENTS];
        }

        @Override
        public Map<String, Double> round() {
            double kernels = nanos(Long.MAX_VALUE, true);
            double copies = nanos(BYTES_PER_SECOND, false);
            double both = nanos(BYTES_PER_SECOND, true);
            return Map.of(MAIN, both / Math.max(kernels, copies));
        }

        /** The time of the tasks with a link of this bandwidth, and kernels that take as long as a copy or none. */
        private double nanos(long bytesPerSecond, boolean busy) {
            Kernel kernel = Kernel.named("busy").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("busy", launch -> {
                long end = busy ? clock.nanoTime() + COPY_NANOS : 0;
                while (busy && clock.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            }));
            try (Session session = Session.builder()
                    .workers(1)
                    .device(EmulatedDevice.offer("emulated0").link(bytesPerSecond, 0))
                    .open()) {
                Data[] data = new Data[tasks];
                for (int i = 0; i < tasks; i++) {
                    data[i] = session.data().vector("x" + i, homes[i]);
                }
                TaskGraph graph = session.graph();
                long start = clock.nanoTime();
                for (Data one : data) {
                    graph.task("busy").reads(one).run(kernel);
                }
                graph.await();
                long nanos = clock.nanoTime() - start;
                verify(session.data().transfers().copies() == tasks, "what was moved");
                return nanos;
            }
        }
    }
}

package dev.jacquard.bench.devices;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.SourceKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A thousand launches of a kernel that does next to nothing, on the first CUDA device, or on the first OpenCL device
 * where there is none: as independent tasks, as tasks of which each waits for the one before, as a run of a compiled
 * graph of such tasks, and given to the driver by hand, which waits once at the end.
 */
final class Launches extends Workload {
    private static final int TASKS = 1_000;
    private static final Map<ExecutionTarget, KernelSource> NOTHING = Map.of(
            ExecutionTarget.CUDA,
            new KernelSource(
                    KernelSource.Language.CUDA,
                    "nothing.cu",
                    "nothing",
                    "extern \"C\" __global__ void nothing(double* x, long n) { if (n < 0) x[0] = 1; }"),
            ExecutionTarget.OPENCL,
            new KernelSource(
                    KernelSource.Language.OPENCL_C,
                    "nothing.cl",
                    "nothing",
                    "kernel void nothing(global double* x, long n) { if (n < 0) x[0] = 1; }"));

    Launches() {
        super("device.launch", "ns/task", new Rounds(0, 1), new Rounds(300, 41));
    }

    private static Optional<DeviceOffer> device() {
        List<DeviceOffer> offers = Devices.discover().offers();
        return Stream.of(ExecutionTarget.CUDA, ExecutionTarget.OPENCL)
                .flatMap(
                        target -> offers.stream().filter(offer -> offer.target().equals(target)))
                .findFirst();
    }

    private static KernelSource nothing(DeviceOffer offer) {
        return Objects.requireNonNull(NOTHING.get(offer.target()));
    }

    /** One: after a collection each compiled method that a contender uses is slow once. */
    @Override
    public int settling() {
        return 1;
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return device().isPresent()
                ? List.of()
                : List.of(new Absence("opencl", "no CUDA or OpenCL device was found", "pocl-opencl-icd"));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        List<Contender> contenders = new ArrayList<>();
        device().ifPresent(offer -> {
            contenders.add(new Tasks(plan.clock(), offer, "jacquard", false));
            contenders.add(new Tasks(plan.clock(), offer, "queued", true));
            contenders.add(new Compiled(plan.clock(), offer));
            contenders.add(new ByHand(plan.clock(), offer));
        });
        return contenders;
    }

    /** A session with the device, where one datum stays. */
    private abstract static class InSession extends Contender {
        final Kernel nothing;
        final Session session;
        final Data x;
        private final Clock clock;

        InSession(Clock clock, DeviceOffer offer, String name) {
            super(name, 1);
            this.clock = clock;
            SourceKernel source = new SourceKernel(nothing(offer), work -> LaunchShape.of(1));
            this.nothing = Kernel.named("nothing").onDevice(offer.target(), source);
            this.session = Session.builder().workers(1).device(offer).open();
            this.x = session.data().vector("x", new double[1]);
        }

        abstract void launchAll();

        @Override
        public Map<String, Double> round() {
            long start = clock.nanoTime();
            launchAll();
            long nanos = clock.nanoTime() - start;
            verify(session.data().transfers().copies() == 1, "what was moved");
            return Map.of(MAIN, nanos / (double) TASKS);
        }

        @Override
        public void close() {
            session.close();
        }
    }

    private static final class Tasks extends InSession {
        private final boolean queued;

        Tasks(Clock clock, DeviceOffer offer, String name, boolean queued) {
            super(clock, offer, name);
            this.queued = queued;
        }

        @Override
        void launchAll() {
            TaskGraph graph = session.graph();
            for (int i = 0; i < TASKS; i++) {
                TaskBuilder task = graph.task("launch");
                (queued ? task.updates(x) : task.reads(x)).run(nothing);
            }
            graph.await();
        }
    }

    private static final class Compiled extends InSession {
        private final CompiledGraph graph;

        Compiled(Clock clock, DeviceOffer offer) {
            super(clock, offer, "compiled");
            this.graph = session.record("launches", rec -> {
                for (int i = 0; i < TASKS; i++) {
                    rec.task("launch").updates(x).run(nothing);
                }
            });
        }

        @Override
        void launchAll() {
            graph.run();
        }
    }

    private static final class ByHand extends Contender {
        private final Clock clock;
        private final Device device;
        private final DeviceStream stream;
        private final DeviceBuffer buffer;
        private final DeviceKernel kernel;

        ByHand(Clock clock, DeviceOffer offer) {
            super("driver", 1);
            this.clock = clock;
            this.device = offer.open();
            this.stream = device.stream("by hand");
            this.buffer = device.allocate(Double.BYTES);
            this.kernel = device.compile(nothing(offer));
        }

        @Override
        public Map<String, Double> round() {
            List<Object> arguments = List.of(buffer, 1L);
            long start = clock.nanoTime();
            for (int i = 0; i < TASKS; i++) {
                stream.launch(kernel, LaunchShape.of(1), arguments);
            }
            try (DeviceEvent end = stream.record()) {
                end.await();
            }
            return Map.of(MAIN, (clock.nanoTime() - start) / (double) TASKS);
        }

        @Override
        public void close() {
            stream.close();
            buffer.close();
            device.close();
        }
    }
}

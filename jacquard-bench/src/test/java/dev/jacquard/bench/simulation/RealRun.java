package dev.jacquard.bench.simulation;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.link.LinkTable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A graph that a session really runs: each task waits for its time. Confined to one thread. */
final class RealRun {
    /** Waiting threads wake up as late as that: they turn for the rest. */
    private static final long LATE_NANOS = 100_000;

    private static final int WARM_KERNELS = 12;
    private static final long WARM_NANOS = 2_000_000;
    private static final int CHAIN = 200;

    private final Clock clock = Clock.system();
    private final WorkGraph graph;
    private final long copyNanos;
    private final boolean device;
    /** By task, when it ended. */
    private final AtomicLongArray ends;

    /** @param copyNanos the time of a copy of a few bytes, for the estimates of the session */
    RealRun(WorkGraph graph, long copyNanos) {
        this.graph = graph;
        this.copyNanos = copyNanos;
        this.device = graph.places() > DrawnGraph.HOSTS;
        this.ends = new AtomicLongArray(graph.tasks());
    }

    private SessionBuilder builder() {
        SessionBuilder builder =
                Session.builder().workers(DrawnGraph.HOSTS).learnedTimes(null).noChecking();
        if (!device) {
            return builder;
        }
        EmulatedOffer offer = EmulatedDevice.offer("emulated0");
        DeviceOffer measured = offer.link(DrawnGraph.BYTES_PER_SECOND, copyNanos);
        return builder.links(LinkTable.of(List.of(measured), List.of()))
                .device(offer.link(DrawnGraph.BYTES_PER_SECOND, DrawnGraph.LATENCY_NANOS));
    }

    /** Measures the time from the end of a task to the start of the next one, which reads a few bytes elsewhere. */
    static long leastCopyNanos() {
        WorkGraph.Builder chain = new WorkGraph.Builder(List.of("w0", "w1", "w2", "w3", "emulated0"));
        for (int task = 0; task < CHAIN; task++) {
            double[] costs = new double[DrawnGraph.HOSTS + 1];
            Arrays.fill(costs, task % 2 == 0 ? WARM_NANOS : Double.POSITIVE_INFINITY);
            costs[DrawnGraph.DEVICE] = task % 2 == 0 ? Double.POSITIVE_INFINITY : WARM_NANOS;
            chain.task("c" + task, costs);
            if (task > 0) {
                chain.edge(task - 1, task, Double.BYTES);
            }
        }
        RealRun run = new RealRun(chain.build(), DrawnGraph.LATENCY_NANOS);
        double _ = run.nanos(Policies.named("fifo"));
        long[] copies = IntStream.range(CHAIN / 4, CHAIN)
                .mapToLong(task -> run.end(task) - run.end(task - 1) - WARM_NANOS)
                .sorted()
                .toArray();
        return copies[copies.length / 2];
    }

    /** Runs the graph under a policy that knows all times; returns the nanoseconds after the end of the first task. */
    double nanos(Policy policy) {
        try (Session session = builder().policy(policy).open()) {
            teach(session);
            if (device) {
                warm(session);
            }
            Data[] data = new Data[graph.edges()];
            Task<?>[] tasks = new Task<?>[graph.tasks()];
            for (int task = 0; task < tasks.length; task++) {
                tasks[task] = submit(session, task, data, tasks);
            }
            session.graph().await();
        }
        long last = 0;
        for (int task = 1; task < graph.tasks(); task++) {
            last = Math.max(last, end(task));
        }
        return last;
    }

    /** Returns the end of a task, in nanoseconds after that of the first one. */
    long end(int task) {
        return ends.get(task) - ends.get(0);
    }

    private Task<?> submit(Session session, int task, Data[] data, Task<?>[] tasks) {
        TaskBuilder builder = session.graph().task(graph.name(task));
        for (int edge : graph.in(task)) {
            if (graph.size(edge) > 0) {
                builder.reads(data[edge]);
            } else {
                builder.after(tasks[graph.from(edge)]);
            }
        }
        for (int edge : graph.out(task)) {
            if (graph.size(edge) > 0) {
                long length = (long) graph.size(edge) / Double.BYTES;
                data[edge] = session.data().vector("edge " + edge, DataType.FLOAT64, length);
                builder.writes(data[edge]);
            }
        }
        if (!isKernel(task)) {
            return builder.run(ctx -> pass(task, 0));
        }
        if (graph.out(task).length == 0) { // all kernels have output that needs room, so none is enqueued early
            builder.writes(session.data().vector("result " + task, DataType.FLOAT64, 1));
        }
        Kernel kernel = Kernel.named(graph.name(task))
                .onDevice(
                        ExecutionTarget.EMULATED,
                        new EmulatedBody(graph.name(task), launch -> pass(task, DrawnGraph.DEVICE)));
        return builder.run(graph.canRun(task, 0) ? kernel.onHost(ctx -> pass(task, 0)) : kernel);
    }

    private boolean isKernel(int task) {
        return device && graph.canRun(task, DrawnGraph.DEVICE);
    }

    private void pass(int task, int place) {
        ends.set(task, pass((long) graph.cost(task, place)));
    }

    /** Waits; returns the time after that. */
    private long pass(long nanos) {
        long now = clock.nanoTime();
        long end = now + nanos;
        while (now - end < 0) {
            if (end - now > LATE_NANOS) {
                LockSupport.parkNanos(this, end - now - LATE_NANOS);
            } else {
                Thread.onSpinWait();
            }
            now = clock.nanoTime();
        }
        return now;
    }

    /** Lets the session know how long each task takes. */
    private void teach(Session session) {
        Dispatcher dispatcher = (Dispatcher) session.executor();
        TimeModel times = dispatcher.times();
        for (int task = 0; task < graph.tasks(); task++) {
            double bytes = 0;
            for (int edge : graph.in(task)) {
                bytes += graph.size(edge);
            }
            for (int edge : graph.out(task)) {
                bytes += graph.size(edge);
            }
            for (int again = 0; again < 3; again++) { // the first one does not count
                if (graph.canRun(task, 0)) {
                    times.add(graph.name(task), Place.HOST, 0, graph.cost(task, 0));
                    times.add(graph.name(task), Place.HOST, (long) bytes, graph.cost(task, 0));
                }
                if (isKernel(task)) {
                    Place place = Objects.requireNonNull(dispatcher.place(ExecutionTarget.named("emulated0")));
                    times.add(graph.name(task), place, (long) bytes, graph.cost(task, DrawnGraph.DEVICE));
                }
            }
        }
    }

    /** Lets the queue of the device see kernels of milliseconds, so that none is enqueued early. */
    private void warm(Session session) {
        Kernel kernel = Kernel.named("warm")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("warm", launch -> pass(WARM_NANOS)));
        for (int i = 0; i < WARM_KERNELS; i++) {
            session.graph().task("warm").run(kernel).join();
        }
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.residency.Staging.Footprint;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of a choice between 4 workers of the host and 2 devices for a kernel. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // set by open()
public class DecisionBenchmark {
    private static final int LENGTH = 1_000;

    /** The number of data that the kernel accesses. */
    @Param({"1", "3"})
    public int accesses;

    private Session session;
    private DependencyDomain domain;
    private KernelTask task;
    private Footprint footprint;

    /** Opens the session, in which the kernel was measured everywhere. */
    @Setup
    public void open() {
        session = Session.builder()
                .workers(4)
                .noChecking()
                .policy(Policies.named("earliest-finish"))
                .device(EmulatedDevice.offer("emulated0"))
                .device(EmulatedDevice.offer("emulated1").link(1_000_000_000, 10_000))
                .open();
        AccessList.Builder made = AccessList.builder().add(data(0), Access.update());
        for (int i = 1; i < accesses; i++) {
            made.add(data(i), Access.read());
        }
        AccessList all = made.build();
        domain = session.graph().scope().domain;
        task = new KernelTask("task", "work", 0, Set.of(), -1, all);
        footprint = domain.staging().footprint(all);
        double nanos = 1e6;
        for (Place place : domain.dispatcher.places()) {
            for (int run = 0; run < 3; run++) {
                domain.dispatcher.times().add("work", place, footprint.bytes(), nanos);
            }
            nanos *= 2;
        }
    }

    private Data data(int number) {
        return session.data().vector("x" + number, new double[LENGTH]);
    }

    /** Closes the session. */
    @TearDown
    public void close() {
        session.close();
    }

    /** One decision, with its explanation. */
    @Benchmark
    public Place decision() {
        DevicePlaces places = domain.choices.take(domain.dispatcher, domain.staging());
        List<Place> all = domain.dispatcher.places();
        for (int i = 0; i < all.size(); i++) {
            places.offer(all.get(i));
        }
        Place chosen = places.choose(task, footprint, null);
        places.end();
        return chosen;
    }

    /** The needs of a task, which the decision and later steps share. */
    @Benchmark
    public Footprint needs() {
        return domain.staging().footprint(task.accesses());
    }
}

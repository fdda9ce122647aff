package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cost of a choice between the host and devices. */
class DevicePlacesTest {
    private static final int LENGTH = 1_000;
    private static final int DECISIONS = 2_000;
    private static final int ATTEMPTS = 100;
    /** The bytes that the measurement itself may leave: less than one per decision. */
    private static final long SLACK = 512;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static Place decide(DependencyDomain domain, KernelTask task, Footprint footprint) {
        DevicePlaces places = domain.choices.take(domain.dispatcher, domain.staging());
        List<Place> all = domain.dispatcher.places();
        for (int i = 0; i < all.size(); i++) {
            places.offer(all.get(i));
        }
        Place chosen = places.choose(task, footprint, null);
        places.end();
        return chosen;
    }

    @Test
    void aDecisionAllocatesNothing() {
        try (Session session = Session.builder()
                .workers(4)
                .noChecking()
                .policy(Policies.named("earliest-finish"))
                .device(EmulatedDevice.offer("emulated0"))
                .device(EmulatedDevice.offer("emulated1").link(1_000_000_000, 10_000))
                .open()) {
            Data x = session.data().vector("x", new double[LENGTH]);
            Data y = session.data().vector("y", new double[LENGTH]);
            Data z = session.data().vector("z", new double[LENGTH]);
            AccessList accesses = AccessList.builder()
                    .add(x, Access.read())
                    .add(y, Access.read())
                    .add(z, Access.update())
                    .build();
            DependencyDomain domain = session.graph().scope().domain;
            KernelTask task = new KernelTask("task", "work", 0, Set.of(), -1, accesses);
            Staging staging = domain.staging();
            Footprint footprint = staging.footprint(accesses);
            double nanos = 1e6;
            for (Place place : domain.dispatcher.places()) {
                for (int run = 0; run < 3; run++) {
                    domain.dispatcher.times().add("work", place, footprint.bytes(), nanos);
                }
                nanos *= 2;
            }
            long least = Long.MAX_VALUE;
            for (int attempt = 0; attempt < ATTEMPTS && least > SLACK; attempt++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < DECISIONS; i++) {
                    decide(domain, task, footprint);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            long bytes = least;
            assertTrue(bytes <= SLACK, () -> bytes + " bytes in " + DECISIONS + " decisions");
            assertEquals(Place.HOST, decide(domain, task, footprint));
            assertEquals(3, session.placements().getLast().estimates().size());
        }
    }
}

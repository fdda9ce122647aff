package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks on the host that access one data in several ways, which overlap. */
@Timeout(180)
class OverlappingAccessesTest {
    private static void fill(Session session, View part, long value) {
        session.graph().task("fill").writes(part).run(context -> {
            for (long i = 0; i < part.box().extent(0); i++) {
                context.memory(part).setLong(i, value);
            }
        });
    }

    /** Writes the first element of {@code one}; returns what it finds at {@code index} of {@code other}. */
    private static long writesAndReads(TaskContext context, View one, View other, long index) {
        context.memory(one).setLong(0, 42);
        return context.memory(other).getLong(index);
    }

    @Test
    void aTileAndItsHaloAreOneMemory() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", DataType.INT64, 8);
            View tile = x.rows(2, 4);
            View halo = tile.halo(1);
            fill(session, x.rows(0, 2), 1);
            fill(session, tile, 2); // in memory of its own
            fill(session, x.rows(4, 8), 3);
            assertEquals(
                    42,
                    session.graph()
                            .task("both")
                            .updates(tile)
                            .reads(halo)
                            .call(context -> writesAndReads(context, tile, halo, 1))
                            .join());
            assertEquals(
                    42,
                    session.graph()
                            .task("later")
                            .reads(x)
                            .call(context -> context.memory(x).getLong(2))
                            .join());
        }
    }

    @Test
    void partsThatLieAcrossAreOneMemory() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", DataType.INT64, 8);
            View left = x.rows(0, 4);
            View right = x.rows(2, 6);
            fill(session, x.rows(0, 2), 1);
            fill(session, right, 2); // in memory of its own
            fill(session, left, 3);
            assertEquals(
                    42,
                    session.graph()
                            .task("both")
                            .reads(left)
                            .updates(right)
                            .call(context -> writesAndReads(context, right, left, 2))
                            .join());
            assertEquals(
                    45,
                    session.graph()
                            .task("later")
                            .reads(x.rows(1, 4))
                            .call(context -> context.memory(x.rows(1, 3)).getLong(1)
                                    + context.memory(x.rows(1, 4)).getLong(2))
                            .join());
        }
    }

    @Test
    void whatIsOverwrittenIsThereForTheReadOfTheSameTask() {
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", DataType.INT64, 8);
            View part = x.rows(0, 4);
            fill(session, part, 3);
            assertEquals(
                    45,
                    session.graph()
                            .task("both")
                            .reads(x.rows(0, 2))
                            .writes(x.rows(1, 8))
                            .call(context -> {
                                long before = context.memory(x.rows(0, 2)).getLong(1);
                                return before + writesAndReads(context, x.rows(1, 8), x.rows(0, 2), 1);
                            })
                            .join());
        }
    }

    /** The second try of a task that overwrites what it also reads finds what the first one found. */
    @Test
    void whatIsOverwrittenIsThereForASecondTry() {
        for (boolean home : new boolean[] {false, true}) {
            try (Session session = Session.builder().workers(2).open()) {
                Data x = home
                        ? session.data().vector("x", new long[8])
                        : session.data().vector("x", DataType.INT64, 8);
                fill(session, x.rows(0, 8), 3);
                for (View read : List.of(x.rows(0, 2), x.rows(1, 8), x.rows(0, 8))) {
                    AtomicInteger tries = new AtomicInteger();
                    View written = x.rows(1, 8);
                    assertEquals(
                            2,
                            session.graph()
                                    .task("both")
                                    .reads(read)
                                    .writes(written)
                                    .retries(1)
                                    .call(context -> {
                                        int now = tries.incrementAndGet();
                                        assertEquals(
                                                3,
                                                context.memory(read)
                                                        .getLong(read.box().extent(0) - 1));
                                        for (long i = 0; i < 7; i++) {
                                            context.memory(written).setLong(i, now == 1 ? 42 : 3);
                                        }
                                        if (now == 1) {
                                            throw new IllegalStateException("once");
                                        }
                                        return now;
                                    })
                                    .join());
                }
            }
        }
    }

    @Test
    void whatIsOverwrittenIsThereForASecondTryOnADevice() {
        AtomicInteger tries = new AtomicInteger();
        Kernel next = Kernel.named("next").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("next", launch -> {
            MemorySegment from = launch.memory(0);
            MemorySegment to = launch.memory(1);
            long before = from.getAtIndex(ValueLayout.JAVA_LONG, from.byteSize() / 8 - 1);
            to.setAtIndex(ValueLayout.JAVA_LONG, 0, before + 1);
            to.setAtIndex(ValueLayout.JAVA_LONG, to.byteSize() / 8 - 1, before + 1);
            if (tries.incrementAndGet() == 1) {
                throw new DeviceException("once");
            }
        }));
        try (Session session = Session.builder().workers(1).devices("emulated0").open()) {
            Data x = session.data().vector("x", DataType.INT64, 8);
            fill(session, x.rows(0, 8), 3);
            Kernel same =
                    Kernel.named("same").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("same", launch -> {}));
            for (View read : List.of(x.rows(0, 2), x.rows(1, 8))) {
                tries.set(0);
                session.graph()
                        .task("there")
                        .adds(read)
                        .run(same); // only the device has it, and it cannot be recomputed
                session.graph()
                        .task("both")
                        .reads(read)
                        .writes(x.rows(1, 8))
                        .retries(1)
                        .run(next);
                assertEquals(2, waitFor(session, tries));
                assertEquals(
                        read.box().from(0) == 0 ? 4 : 5,
                        session.graph()
                                .task("later")
                                .reads(x.rows(1, 8))
                                .call(context -> context.memory(x.rows(1, 8)).getLong(0))
                                .join());
            }
        }
    }

    /** A task whose data does not get to a device goes elsewhere, and has begun to overwrite nothing. */
    @Test
    void whatIsOverwrittenIsThereForATaskThatGoesElsewhere() {
        // The failing copies may be those that are made ahead of the task, which then succeeds.
        boolean wentElsewhere = false;
        for (int i = 0; i < 50 && !wentElsewhere; i++) {
            wentElsewhere = goesElsewhere();
        }
        assertTrue(wentElsewhere);
    }

    /** Returns false if the copies for the task failed before the task began. */
    private static boolean goesElsewhere() {
        Kernel same = Kernel.named("same").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("same", launch -> {}));
        Kernel next = Kernel.named("next")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("next", launch -> {}))
                .onHost(arguments -> arguments
                        .memory(1)
                        .setLong(
                                0,
                                arguments.memory(0).getLong(0)
                                        + arguments.memory(2).getLong(0)));
        FaultPlan faults = FaultPlan.NONE.at(Kind.COPY, 2, 3, 4);
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0").faults(faults))
                .open()) {
            Data x = session.data().vector("x", DataType.INT64, 8);
            Data y = session.data().vector("y", new long[] {40});
            fill(session, x.rows(0, 8), 3);
            // Only the device has it then, and it cannot be recomputed.
            session.graph().task("there").adds(x).run(same).join();
            session.graph().task("both").reads(x).writes(x).reads(y).run(next);
            long later = session.graph()
                    .task("later")
                    .reads(x)
                    .call(context -> context.memory(x).getLong(0))
                    .join();
            boolean wentElsewhere = session.data().faults().fellBack() == 1;
            assertEquals(wentElsewhere ? 43 : 3, later);
            return wentElsewhere;
        }
    }

    private static int waitFor(Session session, AtomicInteger tries) {
        session.graph().await();
        return tries.get();
    }
}

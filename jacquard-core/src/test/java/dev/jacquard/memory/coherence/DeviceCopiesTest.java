package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import dev.jacquard.memory.testing.ForwardingDevice;
import dev.jacquard.memory.testing.ForwardingOffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ways of bytes between host and devices: through which memory, and how much of it at a time. */
class DeviceCopiesTest {
    private static final long BATCH = 1 << 18;
    private static final int LARGE = (int) (5 * BATCH / Double.BYTES + 3);

    /** Adds 1 to the last argument, or writes the first plus 1 there. */
    private static final Kernel PLUS_ONE = Kernel.named("plus one")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("plus one", launch -> {
                MemorySegment from = launch.memory(0);
                MemorySegment to = launch.memory(launch.arguments().size() - 1);
                for (long i = 0; i < to.byteSize() / Double.BYTES; i++) {
                    to.setAtIndex(ValueLayout.JAVA_DOUBLE, i, from.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
                }
            }));

    /** The same on the host, too. */
    private static Kernel plusOneAnywhere(int last) {
        return PLUS_ONE.onHost(arguments -> {
            Memory from = arguments.memory(0);
            Memory to = arguments.memory(last);
            for (long i = 0; i < to.extent(0); i++) {
                to.setDouble(i, from.getDouble(i) + 1);
            }
        });
    }

    private static double[] counting(int length) {
        double[] array = new double[length];
        for (int i = 0; i < length; i++) {
            array[i] = i;
        }
        return array;
    }

    /** Copies that fail once, in the first batch, within and at the end, in and out, are made again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 6, 7, 8, 10, 12})
    void largeArraysPassInBatches(int failing) {
        double[] home = counting(LARGE);
        FaultPlan faults = failing == 0 ? FaultPlan.NONE : FaultPlan.NONE.at(Kind.COPY, failing);
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0").batches(BATCH).faults(faults))
                .open()) {
            Data x = session.data().vector("x", home);
            session.graph().task("t").updates(x).run(PLUS_ONE);
            session.graph().await();
            session.data().fetch(x);
            assertTrue(session.data().transfers().links().stream().allMatch(link -> link.staged() == link.copies()));
        }
        double[] expected = new double[LARGE];
        Arrays.setAll(expected, i -> i + 1);
        assertTrue(Arrays.equals(expected, home));
    }

    /**
     * A device that is lost before any of its copies and launches, also between the batches of one, leaves what its
     * tasks are computed from again: the home of x that is behind, or x where y is written.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatALostDeviceHadIsComputedAgain(boolean updates) {
        int length = (int) (2 * BATCH / Double.BYTES + 3); // 3 batches, or one copy that keeps what is there
        int operations = updates ? 3 + 1 + 1 + 1 + 1 : 3 + 1 + 3 + 1 + 3;
        double[] expected = counting(length);
        Arrays.setAll(expected, i -> i + (updates ? 2 : 1));
        for (int loss = 1; loss <= operations + 1; loss++) {
            double[] homeOfX = counting(length);
            double[] homeOfY = new double[length];
            try (Session session = Session.builder()
                    .workers(1)
                    .device(EmulatedDevice.offer("emulated0").batches(BATCH).faults(FaultPlan.NONE.at(Kind.LOSS, loss)))
                    .open()) {
                Data x = session.data().vector("x", homeOfX);
                Data y = session.data().vector("y", homeOfY);
                for (int round = 0; round < 2; round++) {
                    TaskBuilder task = session.graph().task("t");
                    (updates ? task.updates(x) : task.reads(x).writes(y)).run(plusOneAnywhere(updates ? 0 : 1));
                    session.graph().await();
                    session.data().fetch(updates ? x : y);
                }
                boolean lost = !session.data().faults().lost().isEmpty();
                assertEquals(loss <= operations, lost, "loss " + loss);
            }
            assertTrue(Arrays.equals(expected, updates ? homeOfX : homeOfY), "loss " + loss);
        }
    }

    /** The bytes that a copy home brings are compared before they take the place of what they are computed from. */
    @Test
    void soItIsWhereTheDeviceIsLostBeforeTheBytesAreCompared() {
        boolean lost = true;
        for (int loss = 1; lost; loss++) {
            double[] home = counting(4);
            try (Session session = Session.builder()
                    .workers(1)
                    .checking()
                    .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(Kind.LOSS, loss)))
                    .open()) {
                Data x = session.data().vector("x", home);
                session.graph().task("t").updates(x).run(plusOneAnywhere(0));
                session.graph().await();
                session.data().fetch(x);
                lost = !session.data().faults().lost().isEmpty();
            }
            assertTrue(Arrays.equals(new double[] {1, 2, 3, 4}, home), "loss " + loss);
        }
    }

    @Test
    @Timeout(180)
    void memoryThatWasClosedIsToldOf() {
        double[] other = new double[4];
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"))
                .open()) {
            Arena closed = Arena.ofShared();
            Data x = session.data().home("x", Layout.of(DataType.FLOAT64, 4), closed.allocate(32, 8));
            Data y = session.data().vector("y", other);
            session.graph().task("t").updates(x).run(PLUS_ONE);
            session.graph().task("t").updates(y).run(PLUS_ONE);
            session.graph().await();
            closed.close();
            assertMentions(
                    assertThrows(
                            IllegalStateException.class, () -> session.data().free(x)),
                    "the user's memory was closed");
            session.data().fetch(y); // by the same stream
        }
        assertEquals(1, other[0]);
    }

    @Test
    void soDoPartsOfLargeArrays() {
        int rows = 1_201;
        int columns = 1_103;
        double[] home = counting(rows * columns);
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0").batches(BATCH))
                .open()) {
            Data x = session.data().matrix("x", home, rows, columns);
            session.graph()
                    .task("t")
                    .updates(x.block(1, 2, rows - 2, columns - 2))
                    .run(PLUS_ONE);
            session.graph().await();
            session.data().fetch(x);
        }
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                int at = row * columns + column;
                boolean within = row >= 1 && row < rows - 1 && column >= 2;
                assertEquals(at + (within ? 1 : 0), home[at]);
            }
        }
    }

    /**
     * Memory keeps an older version, until all of a copy has left the device, where the copied version would be
     * computed from it again, and only there.
     */
    @Test
    void onlyWhatWouldBeComputedFromIsKept() {
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0").batches(BATCH))
                .open()) {
            Data x = session.data().vector("x", DataType.FLOAT64, 100);
            Data y = session.data().vector("y", DataType.FLOAT64, 100);
            session.graph().task("first").writes(x).run(ctx -> ctx.memory(x).setDouble(7, 7));
            for (int i = 0; i < 3; i++) {
                session.graph().task("y of x").reads(x).writes(y).run(PLUS_ONE);
                session.graph().await();
                session.data().open(y, Mode.READ).close();
            }
            assertEquals(0, stagedOut(session), "y is computed from x, which the host has");
            session.graph().task("x of x").updates(x).run(PLUS_ONE);
            session.graph().await();
            session.data().open(x, Mode.READ).close();
            assertEquals(1, stagedOut(session), "x is computed from what the host has of it");
            session.graph().task("x of x").updates(x).run(PLUS_ONE);
            session.graph().task("y of x").reads(x).writes(y).run(PLUS_ONE);
            session.graph().await();
            session.data().open(y, Mode.READ).close();
            assertEquals(1, stagedOut(session), "y is computed from x, as the device has it, and that from an older x");
            session.data().open(x, Mode.READ).close();
            assertEquals(2, stagedOut(session), "x again");
        }
    }

    private static long stagedOut(Session session) {
        return session.data().transfers().links().stream()
                .filter(link -> link.to().equals("host"))
                .mapToLong(Transfers.Link::staged)
                .sum();
    }

    /** An emulated device whose driver locks host memory, and notes what is locked. */
    private static final class Locking extends ForwardingDevice {
        private final AtomicInteger locks;
        private final ConcurrentLinkedQueue<MemorySegment> locked;

        Locking(Device device, AtomicInteger locks, ConcurrentLinkedQueue<MemorySegment> locked) {
            super(device);
            this.locks = locks;
            this.locked = locked;
        }

        @Override
        public PinnedMemory pin(MemorySegment memory) {
            assertTrue(memory.isNative() && memory.scope().isAlive());
            locks.incrementAndGet();
            locked.add(memory);
            return new PinnedMemory() {
                @Override
                public MemorySegment segment() {
                    return memory;
                }

                @Override
                public void close() {
                    assertTrue(memory.scope().isAlive(), "unlocked before it is given back");
                    assertTrue(locked.removeIf(one -> one == memory), "once");
                }
            };
        }
    }

    @Test
    void largeMemoryOfTheEnginesIsLockedAsLongAsItLives() {
        AtomicInteger locks = new AtomicInteger();
        ConcurrentLinkedQueue<MemorySegment> locked = new ConcurrentLinkedQueue<>();
        try (Session session = Session.builder()
                .workers(1)
                .device(new ForwardingOffer(
                        EmulatedDevice.offer("emulated0").batches(BATCH), opened -> new Locking(opened, locks, locked)))
                .open()) {
            Data small = session.data().vector("small", DataType.FLOAT64, 100);
            Data large = session.data().vector("large", DataType.FLOAT64, 1 << 17);
            Data other = session.data().vector("other", DataType.FLOAT64, 1 << 18);
            for (int i = 0; i < 3; i++) {
                session.graph().task("t").writes(small).run(ctx -> {});
                session.graph().task("t").writes(large).run(ctx -> {});
                session.graph().task("t").updates(large).run(PLUS_ONE);
                session.graph().await();
                session.data().open(large, Mode.READ).close();
            }
            assertEquals(1, locks.get());
            session.graph().task("t").writes(other).run(ctx -> {});
            session.graph().await();
            session.data().free(large);
            assertEquals(2, locks.get());
        }
        assertEquals(0, locked.size());
    }
}

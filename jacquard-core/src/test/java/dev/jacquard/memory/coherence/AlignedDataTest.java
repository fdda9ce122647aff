package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data whose rows begin on boundaries of the host's memory, and lie without gaps elsewhere. */
class AlignedDataTest {
    private static final int FIRST = 2;
    private static final Layout FIELD = Layout.aligned(DataType.FLOAT64, FIRST, 3, 5, 7, 13);
    private static final long ELEMENTS = 5 * 7 * 13;

    /** Adds 1 to each element; on the host also counts the runs, and writes over all padding behind the rows. */
    private static Kernel addOne(AtomicInteger aligned) {
        return Kernel.named("add one")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("add one", AlignedDataTest::addOne))
                .onHost(arguments -> {
                    Memory x = arguments.memory(0);
                    requireAligned(x, FIELD, FIRST);
                    aligned.incrementAndGet();
                    for (long i = 0; i < x.segment().byteSize() / 8; i++) {
                        scribble(x, i);
                    }
                    for (long i = 0; i < ELEMENTS; i++) {
                        x.setDouble(place(x, i), x.getDouble(place(x, i)) + 1);
                    }
                });
    }

    private static void addOne(EmulatedBody.Launch launch) {
        MemorySegment x = launch.memory(0);
        assertEquals(ELEMENTS * 8, x.byteSize());
        for (long i = 0; i < ELEMENTS; i++) {
            x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
        }
    }

    /** Writes one element, unless that belongs to a row. */
    private static void scribble(Memory x, long at) {
        if (at % x.layout().stride(1) >= x.layout().extent(2)
                || at >= x.layout().stride(0) * x.layout().extent(0)) {
            x.setDouble(at, Double.NaN);
        }
    }

    private static long place(Memory x, long i) {
        return x.layout().offset(i / 91, i / 13 % 7, i % 13);
    }

    private static void fill(Memory x, double value) {
        for (long i = 0; i < ELEMENTS; i++) {
            x.setDouble(place(x, i), value + i);
        }
    }

    private static void requireFilled(double value, Memory x) {
        for (long i = 0; i < ELEMENTS; i++) {
            assertEquals(value + i, x.getDouble(place(x, i)));
        }
    }

    /** Checks all of some data of two dimensions or more. */
    private static void requireAligned(Memory memory, Layout layout, long first) {
        int dimensions = layout.dimensions();
        long rows = layout.elements() / layout.extent(dimensions - 1);
        int size = layout.type().bytes();
        for (long row = 0; row < rows; row++) {
            long at = row * layout.stride(dimensions - 2) + first;
            assertEquals(0, (memory.segment().address() + at * size) % 64, "row " + row + " of " + layout);
        }
        assertEquals(layout.within(layout.box()), memory.layout());
        assertEquals(layout.bytes() - layout.lead() * size, memory.segment().byteSize());
    }

    private static long used(Session session, int space) {
        return session.data().transfers().spaces().get(space).bytes();
    }

    @Test
    void rowsBeginOnBoundariesAndEveryByteIsCounted() {
        try (Session session = Session.builder().workers(1).open()) {
            long bytes = 0;
            for (DataType type : DataType.values()) {
                for (long first = 0; first < 5; first++) {
                    Layout layout = Layout.aligned(type, first, 7 * first, 3, 4, 9 + first);
                    long ghosts = first;
                    Data data = session.data().of("d " + type + first, layout);
                    session.graph()
                            .task("write")
                            .writes(data)
                            .run(context -> requireAligned(context.memory(data), layout, ghosts))
                            .join();
                    try (UserView view = session.data().open(data, Mode.UPDATE)) {
                        requireAligned(view.memory(), layout, first);
                    }
                    bytes += layout.bytes();
                    assertEquals(bytes, used(session, 0));
                    ReplicaLocations where = session.data().query(data).where();
                    assertEquals(layout.bytes(), where.replicas().getFirst().bytes());
                }
            }
        }
    }

    @Test
    void partsAreWhereAllOfItIs() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = session.data().of("x", FIELD);
            TaskGraph graph = session.graph();
            graph.task("fill").writes(x).run(context -> fill(context.memory(x), 0));
            graph.task("planes").updates(x.rows(1, 3)).run(context -> {
                Memory two = context.memory(x.rows(1, 3));
                assertEquals(FIELD.stride(0), two.layout().stride(0));
                two.setDouble(two.layout().offset(1, 2, 3), -1);
            });
            graph.task("read").reads(x).run(context -> {
                Memory all = context.memory(x);
                assertEquals(-1, all.getDouble(all.layout().offset(2, 2, 3)));
                assertEquals(2 * 91 + 2 * 13 + 4, all.getDouble(all.layout().offset(2, 2, 4)));
            });
            graph.await();
            assertEquals(FIELD.bytes(), used(session, 0));
        }
    }

    @Test
    void copiesToDevicesAndDisksKeepTheElementsAlone(@TempDir Path folder) {
        try (Session session = Session.builder()
                .workers(1)
                .hostMemory(FIELD.bytes())
                .disk(folder, 1 << 20, false)
                .device(EmulatedDevice.offer("emulated0"), 2 * ELEMENTS * 8)
                .open()) {
            List<Data> all = new ArrayList<>();
            TaskGraph graph = session.graph();
            for (int i = 0; i < 4; i++) {
                Data x = session.data().of("x" + i, FIELD);
                all.add(x);
                double value = 1000 * i;
                graph.task("fill").writes(x).run(context -> fill(context.memory(x), value));
            }
            AtomicInteger aligned = new AtomicInteger();
            Kernel addOne = addOne(aligned);
            for (ExecutionTarget where :
                    List.of(ExecutionTarget.EMULATED, ExecutionTarget.HOST, ExecutionTarget.EMULATED)) {
                all.forEach(x -> graph.task("add").updates(x).on(where).run(addOne));
            }
            for (int i = 0; i < 4; i++) {
                Data x = all.get(i);
                double value = 1000 * i + 3;
                graph.task("read").reads(x).run(context -> requireFilled(value, context.memory(x)));
            }
            graph.await();
            assertEquals(4, aligned.get());
            for (Transfers.Used space : session.data().transfers().spaces()) {
                assertTrue(space.peak() > 0 && space.peak() <= space.limit(), space::toString);
            }
            assertEquals(
                    FIELD.bytes(), session.data().transfers().spaces().get(0).peak());
            assertEquals(0, used(session, 1) % (ELEMENTS * 8), "without gaps on disk");
            assertEquals(0, used(session, 2) % (ELEMENTS * 8), "without gaps on the device");
            for (Transfers.Link link : session.data().transfers().links()) {
                assertEquals(link.copies() * ELEMENTS * 8, link.bytes(), link::toString);
            }
        }
    }

    @Test
    void whatIsKeptForAnotherTryTakesAsMuch() {
        try (Session session =
                Session.builder().workers(1).hostMemory(2 * FIELD.bytes()).open()) {
            Data x = session.data().of("x", FIELD);
            AtomicInteger tries = new AtomicInteger();
            session.graph().task("fill").writes(x).run(context -> fill(context.memory(x), 0));
            session.graph().task("twice").updates(x).retries(1).run(context -> {
                fill(context.memory(x), context.memory(x).getDouble(0) + 5);
                if (tries.incrementAndGet() == 1) {
                    throw new IllegalStateException("the first try");
                }
            });
            session.graph().task("read").reads(x).run(context -> requireFilled(5, context.memory(x)));
            session.graph().await();
            assertEquals(2, tries.get());
            assertEquals(
                    2 * FIELD.bytes(),
                    session.data().transfers().spaces().get(0).peak());
        }
    }

    @Test
    void aRecomputationIsDoneInMemoryThatIsAlignedToo() {
        SessionBuilder builder = Session.builder().workers(1);
        builder.device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(Kind.LOSS, 4)));
        try (Session session = builder.open()) {
            Data x = session.data().of("x", FIELD);
            session.graph().task("fill").writes(x).run(context -> fill(context.memory(x), 0));
            AtomicInteger aligned = new AtomicInteger();
            Kernel addOne = addOne(aligned);
            for (int i = 0; i < 3; i++) {
                session.graph().task("add").updates(x).run(addOne);
            }
            session.graph().task("read").reads(x).run(context -> requireFilled(3, context.memory(x)));
            session.graph().await();
            Faults faults = session.data().faults();
            assertFalse(faults.lost().isEmpty());
            assertFalse(faults.recomputations().isEmpty());
            assertTrue(aligned.get() > 0);
        }
    }

    @Test
    void whatTheBlockTakesIsRefusedWhereThereIsLess() {
        long less = FIELD.bytes() - 1;
        try (Session session = Session.builder().workers(1).hostMemory(less).open()) {
            Data x = session.data().of("x", FIELD);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> session.graph().task("large").writes(x).run(context -> {})),
                    "task \"large\" accesses " + FIELD.bytes() + " bytes",
                    "host may hold " + less);
            session.graph()
                    .task("part")
                    .writes(x.rows(0, 4))
                    .run(context ->
                            assertTrue(context.memory(x.rows(0, 4)).layout().isPacked()))
                    .join();
            assertEquals(4 * 91 * 8, used(session, 0));
        }
    }

    @Test
    void onDevicesThereIsRoomForTheElementsAlone() {
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"), ELEMENTS * 8)
                .open()) {
            Data x = session.data().of("x", FIELD);
            session.graph().task("fill").writes(x).run(context -> fill(context.memory(x), 0));
            session.graph().task("add").updates(x).on(ExecutionTarget.EMULATED).run(addOne(new AtomicInteger()));
            session.graph().task("read").reads(x).run(context -> requireFilled(1, context.memory(x)));
            session.graph().await();
        }
    }

    @Test
    void aMatrixWithALeadingDimensionLiesSoInTheEnginesMemory() {
        Layout layout = Layout.matrix(DataType.FLOAT64, 3, 4, 6);
        try (Session session = Session.builder().workers(1).open()) {
            Data a = session.data().of("a", layout);
            session.graph()
                    .task("write")
                    .writes(a)
                    .run(context -> assertEquals(layout, context.memory(a).layout()))
                    .join();
            assertEquals(layout.bytes(), used(session, 0));
        }
    }
}

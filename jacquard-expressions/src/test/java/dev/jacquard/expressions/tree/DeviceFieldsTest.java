package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.memory.coherence.Transfers;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Fields that live on a device. */
class DeviceFieldsTest {
    private static final Grid GRID = Grid.of(20, 10).ghosts(1);
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> BEND = Tag.cell("bend");
    private static final Tag<Cell> NEXT = Tag.cell("next");

    private static ExpressionTree tree() {
        return Model.of(GRID)
                .source(T)
                .define(BEND, laplacian(T))
                .define(NEXT, BEND.times(0.125).plus(T))
                .tree(NEXT, BEND);
    }

    private static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(x) * Math.cos(2 * y));
    }

    private static long copies(Session session, String from) {
        return session.data().transfers().links().stream()
                .filter(link -> link.from().equals(from))
                .mapToLong(Transfers.Link::copies)
                .sum();
    }

    @Test
    void theyAreComputedThereAndComeHomeWhenAsked() {
        double[] expected;
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            tree().compile(fields).run();
            expected = fields.values(NEXT);
        }
        try (Session session = Session.builder().workers(2).devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            fields.live(ExecutionTarget.EMULATED, BEND, NEXT);
            CompiledGraph step = tree().compile(fields);
            for (int i = 0; i < 10; i++) {
                step.run();
            }
            assertEquals(1, copies(session, "host"), session.data().transfers() + "");
            assertEquals(0, copies(session, "emulated0"), session.data().transfers() + "");
            assertArrayEquals(expected, fields.values(NEXT));
            fields.max(NEXT);
            assertEquals(1, copies(session, "emulated0"), session.data().transfers() + "");
        }
    }

    /** A field that many tasks of a device read is copied there once, until it is written here. */
    @Test
    void consumersOnADeviceShareOneCopy() {
        try (Session session = Session.builder().workers(2).devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            Assignment bend = Assignment.of(fields, BEND, laplacian(T)).on(ExecutionTarget.EMULATED);
            Assignment next = Assignment.of(fields, NEXT, T.times(2)).on(ExecutionTarget.EMULATED);
            for (int i = 0; i < 3; i++) {
                bend.submit(session.graph());
                next.submit(session.graph());
                session.graph().await();
            }
            assertEquals(1, copies(session, "host"));
            double max = fields.max(T); // reading the original leaves the copy valid
            next.submit(session.graph());
            session.graph().await();
            assertEquals(1, copies(session, "host"));
            set(fields);
            next.submit(session.graph());
            session.graph().await();
            assertEquals(2, copies(session, "host"));
            assertEquals(2 * max, fields.max(NEXT));
        }
    }

    /** Where a field lives, and what memory it has, may change between runs: the graph is recorded again. */
    @Test
    void placesAndPoliciesChangeBetweenRuns() {
        try (Session session = Session.builder().workers(2).devices("emulated0").open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            ExpressionTree tree = Model.of(GRID)
                    .source(T)
                    .define(BEND, laplacian(T))
                    .define(NEXT, BEND.times(0.125).plus(T))
                    .tree(NEXT);
            double[] expected = null;
            for (ExecutionTarget target :
                    new ExecutionTarget[] {ExecutionTarget.HOST, ExecutionTarget.EMULATED, ExecutionTarget.HOST}) {
                for (MemoryPlan.Policy policy : MemoryPlan.Policy.values()) {
                    fields.live(target, BEND, NEXT);
                    tree.fuse(false).fields(policy).compile(fields).run();
                    double[] found = fields.values(NEXT);
                    expected = expected == null ? found : expected;
                    assertArrayEquals(expected, found, target + ", " + policy);
                }
            }
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> fields.live(ExecutionTarget.CUDA, BEND, NEXT)),
                    "\"bend\" is assigned to cuda",
                    "[host, emulated0]");
            tree.compile(fields).run(); // on the host still
            assertArrayEquals(expected, fields.values(NEXT));
        }
    }

    @Test
    void boundariesForADeviceThatIsNotThereSubmitNothing() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(4).ghosts(1))) {
            fields.set(T, (x, y, z) -> x);
            AtomicInteger asked = new AtomicInteger();
            Boundaries walls = Boundaries.of(fields, T)
                    .on(Side.X_LOW, Condition.dirichlet((x, y, z, t) -> asked.incrementAndGet()))
                    .on(Side.X_HIGH, Condition.neumann(0));
            TaskGraph graph = session.graph();
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> walls.filledOn(ExecutionTarget.OPENCL).submit(graph, 0)),
                    "\"boundaries of T\" is assigned to opencl",
                    "[host]");
            graph.await();
            assertEquals(0, asked.get());
        }
    }

    /** The engine knows what wrote the newest data, to do it again, by loops that refer to their store. */
    @Test
    void storesThatAreClosedGo() {
        List<WeakReference<FieldStore>> closed = new ArrayList<>();
        try (Session session = Session.builder().devices("emulated0").open()) {
            for (int i = 0; i < 300; i++) {
                try (FieldStore fields = FieldStore.open(session, Grid.of(8).ghosts(1))) {
                    closed.add(new WeakReference<>(fields));
                    fields.set(T, (x, y, z) -> x);
                    Assignment.of(fields, BEND, laplacian(T))
                            .on(ExecutionTarget.EMULATED)
                            .submit(session.graph());
                    session.graph().await();
                }
            }
            long left = closed.size();
            for (int round = 0; round < 50 && left > 100; round++) {
                System.gc();
                left = closed.stream().filter(one -> one.get() != null).count();
            }
            assertTrue(left <= 100, left + " of " + closed.size() + " stores are still there");
        }
    }
}

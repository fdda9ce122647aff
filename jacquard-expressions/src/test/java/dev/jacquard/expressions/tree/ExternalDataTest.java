package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.tree.ExternalFieldsTest.BEND;
import static dev.jacquard.expressions.tree.ExternalFieldsTest.ELEMENTS;
import static dev.jacquard.expressions.tree.ExternalFieldsTest.GRID;
import static dev.jacquard.expressions.tree.ExternalFieldsTest.T;
import static dev.jacquard.expressions.tree.ExternalFieldsTest.TWICE;
import static dev.jacquard.expressions.tree.ExternalFieldsTest.expected;
import static dev.jacquard.expressions.tree.ExternalFieldsTest.model;
import static dev.jacquard.expressions.tree.ExternalFieldsTest.value;
import static dev.jacquard.expressions.tree.UserExpressionTest.refused;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.time.Integrator;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields in data of the session. */
class ExternalDataTest {
    /** Tasks of another kind write the source, and read the result; both stay when the store is closed. */
    @ParameterizedTest
    @ValueSource(strings = {"aligned", "packed", "array"})
    void dataOfTheSessionIsAField(String kind) {
        double[] bend = expected(BEND);
        double[] twice = expected(TWICE);
        Layout layout = switch (kind) {
            case "aligned" -> GRID.layout(Centring.CELL, 0);
            case "packed" -> Layout.of(DataType.FLOAT64, 6, 7, 7);
            default -> Layout.strided(DataType.FLOAT64, new long[] {6, 7, 7}, 100, 12, 1);
        };
        try (Session session = Session.builder().workers(2).devices("emulated0").open()) {
            Data[] all = new Data[3];
            for (int i = 0; i < all.length; i++) {
                all[i] = kind.equals("array")
                        ? session.data().home("mine" + i, layout, MemorySegment.ofArray(new double[ELEMENTS]))
                        : session.data().of("mine" + i, layout);
            }
            try (FieldStore fields = FieldStore.open(session, GRID)) {
                fields.external(T, all[0]);
                fields.external(BEND, all[1]);
                fields.external(TWICE, all[2]);
                session.graph()
                        .task("mine")
                        .writes(all[0])
                        .on(ExecutionTarget.HOST)
                        .run(context -> {
                            Memory memory = context.memory(all[0]);
                            for (int z = 0; z < 6; z++) {
                                for (int y = 0; y < 7; y++) {
                                    for (int x = 0; x < 7; x++) {
                                        double value = value(
                                                GRID.coordinate(Centring.CELL, 0, x - 1),
                                                GRID.coordinate(Centring.CELL, 1, y - 1),
                                                GRID.coordinate(Centring.CELL, 2, z - 1));
                                        memory.setDouble(memory.layout().offset(z, y, x), value);
                                    }
                                }
                            }
                        });
                model().tree(TWICE).submit(fields, session.graph()); // BEND would be in no memory of its own
                assertArrayEquals(twice, fields.values(TWICE));
                assertArrayEquals(bend, fields.values(BEND));
            }
            for (int i = 1; i < all.length; i++) {
                Data data = all[i];
                double first = session.graph()
                        .task("look")
                        .reads(data)
                        .on(ExecutionTarget.HOST)
                        .call(context -> context.memory(data)
                                .getDouble(context.memory(data).layout().offset(1, 1, 1)))
                        .join();
                assertEquals(i == 1 ? bend[0] : twice[0], first);
            }
        }
    }

    @Test
    void refusesDataThatDoesNotFit() {
        try (Session session = Session.builder().workers(1).open();
                Session another = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            Layout packed = Layout.of(DataType.FLOAT64, 6, 7, 7);
            String what = "cannot be in data \"mine\", which ";
            Data mine = session.data().of("mine", packed);
            refused(() -> fields.external(T, another.data().of("mine", packed)), what + "belongs to another session");
            refused(
                    () -> fields.external(T, session.data().of("mine", Layout.of(DataType.FLOAT64, 7, 7, 6))),
                    what + "has 7x7x6 elements of FLOAT64: the field has 6x7x7 elements of FLOAT64 with its ghosts");
            refused(
                    () -> fields.external(T, session.data().of("mine", Layout.of(DataType.FLOAT32, 6, 7, 7))),
                    what + "has 6x7x7 elements of FLOAT32");
            refused(
                    () -> fields.external(
                            T, session.data().of("mine", Layout.aligned(DataType.FLOAT64, 0, 0, 6, 7, 7))),
                    what + "is aligned for rows with other ghosts",
                    "Layout.aligned and 1 ghosts");
            refused(() -> fields.external(Tag.faces("q"), mine), "\"q\" is a vector");
            fields.set(BEND, (x, y, z) -> 0);
            refused(() -> fields.external(BEND, mine), "\"bend\" has memory already");
            refused(
                    () -> fields.external(T, fields.field(BEND).data()),
                    "is another field's already",
                    "FieldStore.alias");
            fields.external(T, mine);
            refused(() -> fields.external(TWICE, mine), "is another field's already");
            double[] array = new double[ELEMENTS];
            Data home = session.data().home("home", packed, MemorySegment.ofArray(array));
            fields.external(TWICE, home);
            refused(
                    () -> fields.external(Tag.cell("other"), MemorySegment.ofArray(array)),
                    "elements in common with field \"twice\"");
            Data freed = session.data().of("mine", packed);
            session.data().free(freed);
            refused(() -> fields.external(Tag.cell("T"), freed), "has memory already");
            refused(() -> fields.external(Tag.cell("more"), freed), "cannot be in data \"mine\", which was freed");
        }
    }

    /** Returns a model with a field between its source and its result. */
    private static Model inBetween() {
        return Model.of(GRID).source(T).define(BEND, T.times(2)).define(TWICE, BEND.plus(1));
    }

    /** A field in between that is in the user's data is stored there, whatever data that is when a run begins. */
    @Test
    void runsGoOnWithExchangedData() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            Tag<Cell> other = Tag.cell("other");
            fields.set(T, (x, y, z) -> 1);
            fields.external(BEND, session.data().of("mine", GRID.layout(Centring.CELL, 0)));
            fields.set(other, (x, y, z) -> -1);
            TreeRuns runs = TreeRuns.of(inBetween().tree(TWICE), fields, TargetPolicy.host());
            runs.run();
            fields.swap(BEND, other);
            fields.set(T, (x, y, z) -> 10);
            runs.run();
            assertEquals(20, fields.max(BEND));
            assertEquals(2, fields.max(other));
            assertEquals(21, fields.max(TWICE));
        }
    }

    @Test
    void integratorsRefuseExchangedDataOfFieldsInBetween() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            Tag<Cell> other = Tag.cell("other");
            fields.set(T, (x, y, z) -> 1);
            fields.set(other, (x, y, z) -> -1);
            fields.external(BEND, session.data().of("mine", GRID.layout(Centring.CELL, 0)));
            Integrator integrator =
                    Ssp.order(1).advance(T, TWICE).of(inBetween().tree(TWICE)).compile(fields);
            integrator.step(0.5);
            assertEquals(2, fields.max(BEND));
            fields.swap(BEND, other);
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> integrator.step(0.5)), "\"bend\" was exchanged");
        }
    }

    @Test
    void memoryComesBeforeTheFirstTree() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, ExternalFieldsTest::value);
            ExpressionTree tree = model().tree(TWICE);
            TreeRuns runs = TreeRuns.of(tree, fields, TargetPolicy.host());
            fields.external(BEND, session.data().of("mine", GRID.layout(Centring.CELL, 0)));
            runs.run();
            assertArrayEquals(expected(BEND), fields.values(BEND));
        }
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, ExternalFieldsTest::value);
            model().tree(TWICE).compile(fields);
            Data mine = session.data().of("mine", GRID.layout(Centring.CELL, 0));
            refused(() -> fields.external(BEND, mine), "\"bend\" is computed without memory", "give it yours before");
        }
    }

    @Test
    void otherDataTakesThePlaceOfFreedData() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            for (int i = 1; i <= 3; i++) {
                double value = i;
                Data mine = session.data().of("mine", GRID.layout(Centring.CELL, 0));
                fields.external(T, mine);
                fields.set(T, (x, y, z) -> value);
                Assignment.of(fields, TWICE, T.times(2)).submit(session.graph());
                session.graph().await();
                assertEquals(2 * value, fields.min(TWICE));
                session.data().free(mine);
            }
        }
    }

    @Test
    void theArrayOfFreedDataIsNoFieldsAnyMore() {
        MemorySegment array = MemorySegment.ofArray(new double[6 * 7 * 7]);
        Layout packed = Layout.of(DataType.FLOAT64, 6, 7, 7);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            Data mine = session.data().home("mine", packed, array);
            fields.external(T, mine);
            refused(() -> fields.external(BEND, array), "elements in common with field \"T\"");
            session.data().free(mine);
            fields.external(T, session.data().home("another", packed, array));
            fields.set(T, (x, y, z) -> 3);
            assertEquals(3, fields.min(T));
        }
    }
}

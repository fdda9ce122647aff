package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.fromNodes;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.expressions.language.Operators.nodes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.RandomExpressions;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Rounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Expressions on each device of this machine, and on an emulated one, have the bits that they have on the host. */
class ExpressionsOnDevicesTest {
    private static final int EXPRESSIONS = Rounds.some(Integer.getInteger("expressions", 12));
    private static final int GHOSTS = 4;
    private static final Tag<Cell> CELL = Tag.cell("cell");
    private static final Tag<Cell> NEXT = Tag.cell("next");
    private static final Tag<FaceX> FACE = Tag.faceX("face");
    private static final Tag<Faces> FACES = Tag.faces("faces");
    private static final Tag<Node> NODE = Tag.node("node");

    private static List<DeviceOffer> offers() {
        List<DeviceOffer> all = new ArrayList<>(Devices.discover().offers());
        all.add(EmulatedDevice.offer("emulated0"));
        return all;
    }

    private static SessionBuilder on(DeviceOffer offer) {
        return Session.builder().workers(2).device(offer);
    }

    /** Returns a number near 1 that looks random and is that of the point. */
    private static double value(Tag<?> tag, double x, double y, double z) {
        double wave = 1e4 * Math.sin(tag.name().hashCode() % 97 + 12.9898 * x + 78.233 * y + 37.719 * z);
        return 0.5 + (wave - Math.floor(wave));
    }

    @ParameterizedTest
    @CsvSource({"1,FLOAT64", "2,FLOAT64", "3,FLOAT64", "1,FLOAT32", "2,FLOAT32", "3,FLOAT32"})
    void randomExpressionsHaveTheBitsOfTheHost(int dimensions, DataType type) {
        int[] cells = {19, 6, 5};
        Grid grid = Grid.of(Arrays.copyOf(cells, dimensions)).ghosts(GHOSTS).type(type);
        List<DeviceOffer> offers = offers();
        List<Session> sessions = new ArrayList<>(List.of(Session.open()));
        List<FieldStore> stores = new ArrayList<>();
        try {
            offers.forEach(offer -> sessions.add(on(offer).open()));
            for (Session session : sessions) {
                FieldStore fields = FieldStore.open(session, grid);
                RandomExpressions.FIELDS.forEach(tag -> fields.set(tag, (x, y, z) -> value(tag, x, y, z)));
                stores.add(fields);
            }
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(dimensions);
            RandomExpressions expressions = new RandomExpressions(random, dimensions);
            int fitting = 0;
            for (int i = 0; i < EXPRESSIONS; i++) {
                int depth = 1 + i % 5;
                fitting += switch (i % 4) {
                    case 0 -> compare(stores, CELL, expressions.cell(depth));
                    case 1 -> compare(stores, FACE, expressions.faceX(depth));
                    case 2 -> compare(stores, FACES, expressions.faces(depth));
                    default -> compare(stores, NODE, expressions.node(depth));
                };
            }
            assertTrue(fitting > EXPRESSIONS / 2, "of " + EXPRESSIONS + " only " + fitting + " have ghosts enough");
            for (int i = 0; i < offers.size(); i++) {
                assertEquals(List.of(), sessions.get(i + 1).data().faults().fallbacks(), "nothing went elsewhere");
            }
        } finally {
            stores.forEach(FieldStore::close);
            sessions.forEach(Session::close);
        }
    }

    /** Returns 1 if the expression could be compared, 0 if it reads further than there are ghosts. */
    private static <L extends Location> int compare(List<FieldStore> stores, Tag<L> target, Expr<L> expression) {
        List<double[]> expected = null;
        for (FieldStore fields : stores) {
            Assignment assignment;
            try {
                assignment = Assignment.of(fields, target, expression);
            } catch (IllegalArgumentException e) {
                assertTrue(String.valueOf(e.getMessage()).contains("beyond the boundary"), e::toString);
                return 0;
            }
            TaskGraph graph = fields.session().graph();
            Map<String, Double> parameters = assignment.parameters().isEmpty() ? Map.of() : Map.of("p", 0.7);
            assignment.submit(graph, parameters);
            graph.await();
            List<double[]> found = new ArrayList<>();
            for (int axis = 0; axis < (target.isVector() ? fields.grid().dimensions() : 1); axis++) {
                found.add(fields.values(fields.field(target, axis)));
            }
            expected = expected == null ? found : expected;
            requireEqual(expected, found, assignment);
        }
        return 1;
    }

    private static void requireEqual(List<double[]> expected, List<double[]> found, Assignment assignment) {
        for (int axis = 0; axis < expected.size(); axis++) {
            for (int i = 0; i < expected.get(axis).length; i++) {
                double one = expected.get(axis)[i];
                double other = found.get(axis)[i];
                if (Double.doubleToLongBits(one) != Double.doubleToLongBits(other)) {
                    assertEquals(one, other, "point " + i + " of\n" + assignment.source(Language.OPENCL_C));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("offers")
    void aCompiledGraphStepsOnADevice(DeviceOffer offer) {
        double[] onHost = steps(Session.builder().workers(2), Loops.Form.AUTO, null);
        for (Loops.Form form : Loops.Form.values()) {
            assertTrue(Arrays.equals(onHost, steps(on(offer), form, null)), () -> "on " + offer.name());
        }
        assertTrue(Arrays.equals(onHost, steps(on(offer), Loops.Form.AUTO, ExecutionTarget.HOST)), "on the host");
        assertTrue(Arrays.equals(onHost, steps(on(offer), Loops.Form.AUTO, offer.target())), "by kind");
    }

    /** Loops that read neighbours, one in place, boundaries on the host, and a parameter that changes between runs. */
    private static double[] steps(SessionBuilder builder, Loops.Form form, @Nullable ExecutionTarget target) {
        Grid grid = Grid.of(37, 11).ghosts(1);
        try (Session session = builder.open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(CELL, (x, y, z) -> value(CELL, x, y, z));
            Boundaries walls = Boundaries.of(fields, CELL);
            for (Grid.Side side : Grid.Side.values()) {
                if (side.axis() < 2) {
                    walls = walls.on(side, Boundaries.Condition.neumann(0.1));
                }
            }
            Boundaries all = walls;
            Assignment rate = Assignment.of(fields, NEXT, laplacian(CELL).times(parameter("dt")), form);
            Assignment step = Assignment.of(fields, CELL, CELL.plus(exp(NEXT).minus(1)), form);
            Assignment itsRate = target == null ? rate : rate.on(target);
            Assignment itsStep = target == null ? step : step.on(target);
            Parameters parameters = Parameters.of(Map.of("dt", 0.05));
            CompiledGraph graph = session.record(submissions -> {
                all.submit(submissions, 0);
                itsRate.submit(submissions, parameters);
                itsStep.submit(submissions, parameters);
            });
            for (int i = 0; i < 5; i++) {
                parameters.set("dt", 0.05 + 0.01 * i);
                graph.run();
            }
            return fields.values(CELL);
        }
    }

    /** Temporaries of several centrings share memory. */
    @ParameterizedTest
    @MethodSource("offers")
    void aTreeHasTheBitsOfTheHost(DeviceOffer offer) {
        assertTrue(Arrays.equals(tree(Session.builder()), tree(on(offer))), () -> "on " + offer.name());
    }

    private static double[] tree(SessionBuilder builder) {
        Grid grid = Grid.of(13, 7, 5).ghosts(2);
        Model model = Model.of(grid).source(CELL);
        model.define(FACES, grad(CELL).times(0.5));
        model.define(NODE, nodes(CELL));
        Tag<Cell> sum = Tag.cell("sum");
        model.define(sum, div(FACES).plus(fromNodes(NODE)));
        model.define(NEXT, sum.times(sum).plus(fromNodes(NODE)));
        try (Session session = builder.open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(CELL, (x, y, z) -> value(CELL, x, y, z));
            CompiledGraph graph = model.tree(NEXT).fuse(false).compile(fields);
            graph.run();
            graph.run();
            return fields.values(NEXT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theSourceOfADeviceIsShown(Language language) {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(4, 4).ghosts(1))) {
            Assignment assignment = Assignment.of(fields, NEXT, laplacian(CELL));
            String source = assignment.source(language);
            assertTrue(source.startsWith("// next (cell) from [cell (cell)]"), source);
            assertTrue(
                    source.contains(language == Language.CUDA ? "__global__ void loop(" : "__kernel void loop("),
                    source);
            assertTrue(assignment.source().contains("for (int x = x0; x < x1; x++)"), assignment::source);
        }
    }

    @Test
    void aTargetThatTheSessionLacksIsRefused() {
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, Grid.of(4))) {
            fields.set(CELL, (x, y, z) -> 1);
            Assignment assignment = Assignment.of(fields, NEXT, CELL.times(2)).on(ExecutionTarget.OPENCL);
            assertThrows(IllegalStateException.class, () -> assignment.submit(session.graph()));
        }
    }
}

package dev.jacquard.expressions.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.field.Location.Node;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random expressions at all locations: all forms of loops compute the same bits, which are what is defined. */
class RandomExpressionsTest {
    private static final int EXPRESSIONS = 200;
    private static final int GHOSTS = 4;
    private static final double P = 0.7;

    /** Loops of more values are interpreted in every form. */
    private static final int MOST_VALUES = 300;

    private final Loops loops = new Loops();
    private int compiled;
    private int joined;

    @ParameterizedTest
    @CsvSource({"1,FLOAT64", "2,FLOAT64", "3,FLOAT64", "1,FLOAT32", "2,FLOAT32", "3,FLOAT32"})
    void allFormsComputeWhatIsDefined(int dimensions, DataType type) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(dimensions);
        Grid grid = switch (dimensions) {
            case 1 -> Grid.of(19).lengths(1.5);
            case 2 -> Grid.of(11, 5).lengths(1.5, 1);
            default -> Grid.of(9, 5, 3).lengths(1.5, 1, 0.75);
        };
        Grid its = grid.ghosts(GHOSTS).type(type).origin(new double[dimensions]);
        RandomExpressions expressions = new RandomExpressions(random, dimensions);
        try (Fields fields = new Fields(its, random)) {
            int fitting = 0;
            for (int i = 0; i < EXPRESSIONS; i++) {
                int depth = 1 + i % 4;
                boolean fits = switch (i % 4) {
                    case 0, 1 -> check(its, fields, Cell.class, expressions.cell(depth));
                    case 2 ->
                        i % 8 == 2
                                ? check(its, fields, Faces.class, expressions.faces(depth))
                                : check(its, fields, FaceX.class, expressions.faceX(depth));
                    default -> check(its, fields, Node.class, expressions.node(depth));
                };
                fitting += fits ? 1 : 0;
            }
            assertTrue(fitting > EXPRESSIONS / 2, "of " + EXPRESSIONS + " only " + fitting + " have ghosts enough");
            assertTrue(compiled > EXPRESSIONS / 2, "only " + compiled + " loops are compiled");
            assertTrue(dimensions == 1 || joined > 0, "no rows were joined");
            assertTrue(loops.classes() > EXPRESSIONS / 2, "only " + loops.classes() + " classes were made");
        }
    }

    private <L extends Location> boolean check(Grid grid, Fields fields, Class<L> location, Expr<L> expression) {
        List<Lowering.Plan> plans = Lowering.loops(grid, location, expression);
        for (Lowering.Plan plan : plans) {
            for (int i = 0; i < plan.inputs().size(); i++) {
                if (plan.ghosts(i, grid) > GHOSTS) {
                    return false;
                }
            }
        }
        for (Lowering.Plan plan : plans) {
            double[] interpreted = run(grid, fields, plan, Loops.Form.INTERPRETER);
            if (plan.body().values().size() <= MOST_VALUES || compiled % 8 == 0) {
                compiled++;
                equal(interpreted, run(grid, fields, plan, Loops.Form.PLAIN), plan);
                equal(interpreted, run(grid, fields, plan, Loops.Form.LANES), plan);
            }
            near(grid, fields, plan, expression, interpreted);
        }
        return true;
    }

    private double[] run(Grid grid, Fields fields, Lowering.Plan plan, Loops.Form form) {
        try (Arena arena = Arena.ofConfined()) {
            List<Binding.Place> places = new ArrayList<>();
            plan.inputs().forEach(input -> places.add(fields.place(input.tag(), input.axis())));
            Binding.Place result = place(arena, grid, plan.centring());
            places.add(result);
            double[] parameters =
                    plan.body().parameters().stream().mapToDouble(name -> P).toArray();
            Range range = grid.interior(plan.centring());
            Binding binding = new Binding(plan.body(), places);
            Range rows = form == Loops.Form.PLAIN ? binding.joined(plan.body(), range) : range;
            joined += rows.equals(range) ? 0 : 1;
            loops.loop(plan.body(), form).run(binding, parameters, rows);
            double[] values = new double[(int) range.points()];
            int i = 0;
            for (int z = 0; z < range.z1(); z++) {
                for (int y = 0; y < range.y1(); y++) {
                    for (int x = 0; x < range.x1(); x++) {
                        values[i++] = get(grid, result, x, y, z);
                    }
                }
            }
            return values;
        }
    }

    private static void equal(double[] expected, double[] found, Lowering.Plan plan) {
        for (int i = 0; i < expected.length; i++) {
            if (Double.doubleToLongBits(expected[i]) != Double.doubleToLongBits(found[i])) {
                assertEquals(expected[i], found[i], "point " + i + " of\n" + plan.body());
            }
        }
    }

    private static void near(Grid grid, Fields fields, Lowering.Plan plan, Expr<?> expression, double[] found) {
        boolean single = grid.type() == DataType.FLOAT32;
        PointOracle oracle = new PointOracle(
                grid,
                (tag, axis, x, y, z) -> get(grid, fields.place(tag, axis), x, y, z),
                Map.of(RandomExpressions.PARAMETER, P));
        Range range = grid.interior(plan.centring());
        int i = 0;
        for (int z = 0; z < range.z1(); z++) {
            for (int y = 0; y < range.y1(); y++) {
                for (int x = 0; x < range.x1(); x++) {
                    double expected = oracle.at(expression, plan.centring(), plan.axis(), x, y, z);
                    double tolerance = (single ? 2e-2 : 1e-9) * Math.max(1, Math.abs(expected));
                    if (!(Math.abs(expected - found[i]) <= tolerance)) {
                        assertEquals(expected, found[i], tolerance, "point " + x + "," + y + "," + z + " of\n" + plan);
                    }
                    i++;
                }
            }
        }
    }

    private static Binding.Place place(Arena arena, Grid grid, Centring centring) {
        Layout layout = grid.layout(centring, 0);
        MemorySegment block = arena.allocate(layout.bytes(), 64);
        int size = layout.type().bytes();
        int dimensions = grid.dimensions();
        long strideY = dimensions > 1 ? layout.stride(dimensions - 2) * size : 0;
        long strideZ = dimensions > 2 ? layout.stride(0) * size : 0;
        long start = layout.lead() * size
                + grid.ghostLayers(0) * (long) size
                + grid.ghostLayers(1) * strideY
                + grid.ghostLayers(2) * strideZ;
        return new Binding.Place(block, start, strideY, strideZ);
    }

    private static double get(Grid grid, Binding.Place place, int x, int y, int z) {
        long row = place.start() + y * place.strideY() + z * place.strideZ();
        return grid.type() == DataType.FLOAT32
                ? place.segment().get(ValueLayout.JAVA_FLOAT_UNALIGNED, row + 4L * x)
                : place.segment().get(ValueLayout.JAVA_DOUBLE_UNALIGNED, row + 8L * x);
    }

    /** Fields with random values, ghosts included. */
    private static final class Fields implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final Map<String, Binding.Place> places = new HashMap<>();

        Fields(Grid grid, RandomGenerator random) {
            for (Tag<?> tag : RandomExpressions.FIELDS) {
                for (int axis = 0; axis < (tag.isVector() ? grid.dimensions() : 1); axis++) {
                    Binding.Place place = RandomExpressionsTest.place(arena, grid, tag.centring(axis));
                    places.put(tag.name() + axis, place);
                    Range all = grid.valid(tag.centring(axis));
                    for (int z = all.z0(); z < all.z1(); z++) {
                        for (int y = all.y0(); y < all.y1(); y++) {
                            for (int x = all.x0(); x < all.x1(); x++) {
                                long at = place.start() + y * place.strideY() + z * place.strideZ();
                                double value = random.nextDouble(0.5, 1.5);
                                if (grid.type() == DataType.FLOAT32) {
                                    place.segment().set(ValueLayout.JAVA_FLOAT_UNALIGNED, at + 4L * x, (float) value);
                                } else {
                                    place.segment().set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at + 8L * x, value);
                                }
                            }
                        }
                    }
                }
            }
        }

        Binding.Place place(Tag<?> tag, int axis) {
            return Objects.requireNonNull(places.get(tag.name() + axis));
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}

package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Operators.laplacian;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.DeviceOffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Steps in time with all kinds of walls, and the ways in which a device takes part in them. */
final class ResidentSteps {
    static final Tag<Cell> T = Tag.cell("T");
    static final Tag<Cell> RATE = Tag.cell("dT/dt");
    static final int STEPS = 5;
    static final double LENGTH = 1e-3;

    private ResidentSteps() {}

    /** The conditions at the walls. */
    enum Walls {
        VALUES,
        SLOPES,
        PERIODIC,
        VARYING,
        MIXED;

        private Condition at(boolean isHigh) {
            return switch (this) {
                case VALUES -> Condition.dirichlet(isHigh ? -2 : 0.1);
                case SLOPES -> Condition.neumann(isHigh ? -0.7 : 0.3);
                case PERIODIC -> Condition.periodic();
                case VARYING ->
                    isHigh
                            ? Condition.neumann((x, y, z, t) -> 0.3 * x * y + z - 20 * t)
                            : Condition.dirichlet((x, y, z, t) -> 0.1 + x - 2 * y + 3 * z + t);
                case MIXED -> isHigh ? Condition.neumann((x, y, z, t) -> t - y) : Condition.dirichlet(1);
            };
        }

        Map<Side, Condition> on(Grid grid) {
            Map<Side, Condition> all = new EnumMap<>(Side.class);
            Arrays.stream(Side.values())
                    .filter(side -> side.axis() < grid.dimensions())
                    .forEach(side -> all.put(side, at(side.isHigh())));
            return all;
        }
    }

    static Grid grid(int dimensions, int ghosts, DataType type) {
        int[] cells = Arrays.copyOf(new int[] {7, 9, 12}, dimensions);
        double[] lengths = Arrays.copyOf(new double[] {1, 2, 1.5}, dimensions);
        return Grid.of(cells).lengths(lengths).ghosts(ghosts).type(type);
    }

    static ExpressionTree tree(Grid grid) {
        return Model.of(grid).source(T).define(RATE, laplacian(T)).tree(RATE);
    }

    static Ssp.Of steps(ExpressionTree tree, int order, Walls walls) {
        Ssp.Of of = Ssp.order(order).advance(T, RATE).of(tree);
        for (Map.Entry<Side, Condition> one : walls.on(tree.grid()).entrySet()) {
            of = of.boundary(T, one.getKey(), one.getValue());
        }
        return of;
    }

    static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(3 * x) + y * z - z * z);
    }

    static double[] values(Session session, Ssp.Of steps, Grid grid) {
        try (FieldStore fields = FieldStore.open(session, grid)) {
            set(fields);
            steps.compile(fields).run(STEPS, LENGTH);
            return fields.values(T);
        }
    }

    /** Lets the integrator choose lengths; returns the values, and what it chose by. */
    private static double[] chosen(Session session, Ssp.Of steps, Grid grid) {
        try (FieldStore fields = FieldStore.open(session, grid)) {
            set(fields);
            Integrator integrator = steps.tolerance(1e-3).compile(fields);
            integrator.runUntil(5 * STEPS * LENGTH);
            DoubleStream state = integrator.control().state().values().stream().mapToDouble(Double::doubleValue);
            return DoubleStream.concat(Arrays.stream(fields.values(T)), state).toArray();
        }
    }

    static double[] expected(Grid grid, int order, Walls walls) {
        try (Session session = Session.builder().workers(1).open()) {
            return values(session, steps(tree(grid), order, walls), grid);
        }
    }

    /** Lets a device compute steps in all ways. */
    static void assertBytesOfTheHost(Walls walls, DeviceOffer offer, DataType type) {
        try (Session session = Session.builder().workers(2).device(offer).open()) {
            for (int dimensions = 1; dimensions <= 3; dimensions++) {
                for (int ghosts = 1; ghosts <= 2; ghosts++) {
                    Grid grid = grid(dimensions, ghosts, type);
                    int order = 1 + (dimensions + ghosts) % 3;
                    double[] expected = expected(grid, order, walls);
                    double[] chosen;
                    try (Session host = Session.builder().workers(1).open()) {
                        chosen = chosen(host, steps(tree(grid), order, walls), grid);
                    }
                    List<Ssp.Of> ways = ways(grid, order, walls, ExecutionTarget.named(offer.name()));
                    for (int way = 0; way < ways.size(); way++) {
                        String what = grid + ", order " + order + ", way " + way;
                        assertArrayEquals(expected, values(session, ways.get(way), grid), what);
                        assertArrayEquals(chosen, chosen(session, ways.get(way), grid), what);
                    }
                }
            }
        }
    }

    private static List<Ssp.Of> ways(Grid grid, int order, Walls walls, ExecutionTarget device) {
        ExpressionTree tree = tree(grid);
        return List.of(
                steps(tree, order, walls), // as the session places it
                steps(tree.on(device, RATE), order, walls),
                steps(tree.on(device, RATE), order, walls).resident(),
                steps(tree, order, walls).targets(TargetPolicy.roundRobin()).resident(),
                steps(tree.split(device, 0.4), order, walls),
                steps(tree.split(device, 0.4), order, walls).targets(TargetPolicy.host()),
                steps(tree.split(device, 0.7), order, walls)
                        .targets(TargetPolicy.host())
                        .resident());
    }
}

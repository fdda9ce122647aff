package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.abs;
import static dev.jacquard.expressions.language.Functions.max;
import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Operators.dx;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Formulas;
import dev.jacquard.core.testing.random.Walls;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.Boundaries.Condition.Constant;
import dev.jacquard.expressions.tree.Boundaries.Condition.WallFunction;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The loops of expressions that random programs of the core have among their tasks. Threads: any. */
public final class FormulaLoops implements Formulas {
    private static final Tag<Cell> ONE = Tag.cell("one");
    private static final Tag<Cell> OTHER = Tag.cell("other");
    private static final double[] NO_PARAMETERS = {};
    private static final int KEPT_OPERATIONS = 12;

    private final Loops loops = new Loops();

    @Override
    public BindingBody body(Data target, Data one, Data other, long number, boolean ghosts) {
        FieldLoop loop = loop(target, one, other, number, ghosts);
        return context -> loop.bind(NO_PARAMETERS, context)::run;
    }

    @Override
    public Kernel kernel(Data target, Data one, Data other, long number, boolean ghosts) {
        return loop(target, one, other, number, ghosts).kernel(NO_PARAMETERS, () -> {});
    }

    @Override
    public BindingBody filling(Data data, Walls walls) {
        GhostWork work = work(data, walls);
        return context -> work.filling(context, null, walls.time())::fill;
    }

    @Override
    public Kernel fillingKernel(Data data, Walls walls) {
        return work(data, walls).kernel("filling", null, () -> {});
    }

    private static GhostWork work(Data data, Walls walls) {
        Grid unit = grid(data.box(), walls.layers());
        double[] lengths = new double[unit.dimensions()];
        Arrays.setAll(lengths, axis -> (double) unit.cells(axis) * walls.spacing(axis));
        GridField field = field(unit.lengths(lengths), "filled", data);
        Map<Side, Condition> conditions = new EnumMap<>(Side.class);
        for (Side side : Side.values()) {
            conditions.put(side, condition(walls, side.axis(), side.isHigh()));
        }
        return GhostWork.all(field, Strip.of(field.grid(), conditions, null));
    }

    private static Condition condition(Walls walls, int axis, boolean isHigh) {
        WallFunction number = walls.isConstant(axis, isHigh)
                ? new Constant(walls.at(axis, isHigh, 0, 0, 0, 0))
                : (x, y, z, t) -> walls.at(axis, isHigh, twice(x), twice(y), twice(z), (long) t);
        return switch (walls.kind(axis, isHigh)) {
            case PERIODIC -> Condition.periodic();
            case VALUE -> Condition.dirichlet(number);
            case SLOPE -> Condition.neumann(number);
            case EXCHANGED -> Condition.exchanged();
        };
    }

    private static long twice(double coordinate) {
        return Math.round(2 * coordinate);
    }

    private FieldLoop loop(Data target, Data one, Data other, long number, boolean ghosts) {
        Grid grid = grid(target.box(), ghosts ? 1 : 0);
        Expr<Cell> second = ghosts ? difference(OTHER, number) : OTHER;
        Expr<Cell> distance = abs(abs(ONE.minus(second)).minus(number((double) number)));
        Lowering.Plan plan = Lowering.loops(grid, Cell.class, distance).getFirst();
        List<GridField> inputs = plan.inputs().stream()
                .map(input -> field(grid, input.tag().toString(), input.tag().equals(ONE) ? one : other))
                .toList();
        // Otherwise a point at a time: programs are many, and short.
        Loops.Form form = number % 2 == 0 ? Loops.Form.AUTO : Loops.Form.PLAIN;
        GridField result = field(grid, "target", target);
        return new FieldLoop(plan, loops, form, inputs, result, List.of(), () -> {}, null);
    }

    /**
     * Returns the difference of both neighbours along x, without its sign. For some numbers each of them comes through
     * so many operations, none of which changes it, that the loop computes it once for each point and keeps it.
     */
    static Expr<Cell> difference(Tag<Cell> of, long number) {
        Expr<Cell> its = of.plus(0);
        for (int i = 0; i < KEPT_OPERATIONS && number % 4 < 2; i++) {
            its = max(its, its.minus(1));
        }
        return abs(dx(its).times(2));
    }

    @Override
    public Trees trees(Session session) {
        return new FormulaTrees(session);
    }

    private static GridField field(Grid grid, String name, Data data) {
        return new GridField(name, grid, Centring.CELL, data);
    }

    /** The last extent of data is that along x. */
    static Grid grid(Box box, int ghosts) {
        int[] cells = new int[box.dimensions()];
        for (int axis = 0; axis < cells.length; axis++) {
            cells[axis] = (int) box.extent(cells.length - 1 - axis) - 2 * ghosts;
        }
        return Grid.of(cells).ghosts(ghosts);
    }
}

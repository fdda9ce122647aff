package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.abs;
import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Operators.dx;

import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.testing.random.Formulas;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The loops of expressions that random programs of the core have among their tasks. Threads: any. */
public final class FormulaLoops implements Formulas {
    private static final Tag<Cell> ONE = Tag.cell("one");
    private static final Tag<Cell> OTHER = Tag.cell("other");
    private static final double[] NO_PARAMETERS = {};

    private final Loops loops = new Loops();

    @Override
    public BindingBody body(Data target, Data one, Data other, long number, boolean ghosts) {
        FieldLoop loop = loop(target, one, other, number, ghosts);
        return context -> loop.bind(NO_PARAMETERS, context)::run;
    }

    @Override
    public Kernel kernel(Data target, Data one, Data other, long number, boolean ghosts) {
        return loop(target, one, other, number, ghosts).kernel(NO_PARAMETERS);
    }

    @Override
    public BindingBody filling(Data data, boolean periodic) {
        Field field = field(grid(data.box(), true), "filled", data);
        Map<Side, Condition> conditions = new EnumMap<>(Side.class);
        for (Side side : Side.values()) {
            conditions.put(side, periodic ? Condition.periodic() : Condition.neumann(0));
        }
        return context ->
                new GhostFilling(field.grid(), conditions, field.place(context.memory(data)), new double[1])::fill;
    }

    private FieldLoop loop(Data target, Data one, Data other, long number, boolean ghosts) {
        Grid grid = grid(target.box(), ghosts);
        Expr<Cell> second = ghosts ? abs(dx(OTHER).times(2)) : OTHER;
        Expr<Cell> distance = abs(abs(ONE.minus(second)).minus(number((double) number)));
        Lowering.Plan plan = Lowering.loops(grid, Cell.class, distance).getFirst();
        List<Field> inputs = plan.inputs().stream()
                .map(input -> field(grid, input.tag().toString(), input.tag().equals(ONE) ? one : other))
                .toList();
        // A point at a time: programs are many, and short.
        return new FieldLoop(plan, loops, Loops.Form.PLAIN, inputs, field(grid, "target", target), List.of());
    }

    private static Field field(Grid grid, String name, Data data) {
        return new Field(name, grid, Centring.CELL, data);
    }

    /** The last extent of data is that along x. */
    private static Grid grid(Box box, boolean hasGhosts) {
        int ghosts = hasGhosts ? 1 : 0;
        int[] cells = new int[box.dimensions()];
        for (int axis = 0; axis < cells.length; axis++) {
            cells[axis] = (int) box.extent(cells.length - 1 - axis) - 2 * ghosts;
        }
        return Grid.of(cells).ghosts(ghosts);
    }
}

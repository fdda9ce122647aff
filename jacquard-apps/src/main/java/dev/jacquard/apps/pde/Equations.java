package dev.jacquard.apps.pde;

import dev.jacquard.apps.pde.GivenFields.Beyond;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.NumberRange;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.time.Ssp;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.expressions.tree.TreeRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The equations of a program on their grid, read and checked as far as this goes before anything runs. Immutable. */
final class Equations {

    private final Grid grid;
    private final Names names;
    private final Walls walls;
    private final GivenFields given;
    private final List<Unknown> unknowns;

    private Equations(Grid grid, Names names, Walls walls, GivenFields given, List<Unknown> unknowns) {
        this.grid = grid;
        this.names = names;
        this.walls = walls;
        this.given = given;
        this.unknowns = unknowns;
    }

    /**
     * Reads the equations.
     *
     * @throws InputException for the first thing that is wrong
     */
    static Equations read(Settings settings) {
        Grid cells = grid(settings);
        Names names = Names.read(settings, cells.dimensions());
        if (settings.names(Keys.UNKNOWNS).isEmpty()) {
            throw new InputException(settings.given(Keys.CELLS).where()
                    + ": the program has no unknown; expected a section 'unknowns' with a name, and its initial value"
                    + " and rate");
        }
        Walls walls = Walls.read(settings, cells.dimensions(), names.parser(), names.parameters());
        GivenFields fields = new GivenFields(settings, names, new Axes(cells, walls.periodic()), Set.of());
        List<Unknown> unknowns = new ArrayList<>();
        for (String name : settings.names(Keys.UNKNOWNS)) {
            unknowns.add(unknown(settings, names, name));
        }
        Equations equations = new Equations(cells, names, walls, fields, unknowns);
        Set<Beyond> beyond = new LinkedHashSet<>();
        Grid grid = cells.ghosts(equations.layers(beyond));
        GivenFields its = new GivenFields(settings, names, new Axes(grid, walls.periodic()), beyond);
        return new Equations(grid, names, walls, its, unknowns);
    }

    private static Grid grid(Settings settings) {
        int[] cells = settings.get(Keys.CELLS);
        Given<double[]> given = settings.given(Keys.LENGTHS);
        double[] lengths = given.value();
        if (lengths.length == 0) {
            lengths = new double[cells.length];
            Arrays.fill(lengths, 1);
        }
        if (lengths.length != cells.length) {
            throw given.error(
                    "'grid.lengths' " + given.text() + " has " + lengths.length + " numbers, and 'grid.cells' "
                            + settings.given(Keys.CELLS).text() + " has " + cells.length + "; expected as many");
        }
        double points = 1;
        for (int count : cells) {
            points *= count;
        }
        if (points > Integer.MAX_VALUE - 1024) {
            throw settings.given(Keys.CELLS)
                    .error("a grid of " + settings.given(Keys.CELLS).text() + " cells has more than 2^31");
        }
        return Grid.of(cells).lengths(lengths).type(settings.get(Keys.TYPE).type);
    }

    private static Unknown unknown(Settings settings, Names names, String name) {
        Text rate = text(settings.named(Keys.RATE), name);
        Text initial = text(settings.named(Keys.INITIAL), name);
        Given<String> exact = settings.named(Keys.EXACT).get(name);
        Expr<Cell> equation = rate.read(source -> names.parser().parse(source, Cell.class));
        for (Text text : exact == null ? List.of(initial) : List.of(initial, Text.of(exact))) {
            text.read(source -> names.parser().parse(source, Cell.class));
            for (String its : settings.names(Keys.UNKNOWNS)) {
                if (text.names().contains(its)) {
                    throw text.error("'" + its + "' is an unknown, which is not known here; expected an expression of"
                            + " coordinates, parameters and given fields");
                }
            }
        }
        return new Unknown(
                Tag.cell(name),
                Tag.cell("d/dt " + name),
                equation,
                rate,
                initial,
                exact == null ? null : Text.of(exact));
    }

    private static Text text(Map<String, Given<String>> all, String name) {
        Given<String> given = all.get(name);
        if (given == null) {
            throw new IllegalStateException("'" + name + "' is required");
        }
        return Text.of(given);
    }

    // ---- ghosts

    /**
     * Returns the ghost layers that are needed, after a check that walls have them.
     *
     * @param ghosts takes the ghost cells of given fields that are read at walls
     */
    private int layers(Set<Beyond> ghosts) {
        int most = 1;
        Set<Tag<?>> beyond = new LinkedHashSet<>();
        for (Unknown unknown : unknowns) {
            String name = unknown.name();
            most = Math.max(
                    most, layers("the rate of '" + name + '\'', unknown.text(), unknown.equation(), beyond, ghosts));
            for (Text text : unknown.exact() == null
                    ? List.of(unknown.initial())
                    : List.of(unknown.initial(), unknown.exact())) {
                if (names.function(text).isPresent()) {
                    continue; // it is computed in double, and reads no field
                }
                Expr<Cell> expression = text.read(source -> names.parser().parse(source, Cell.class));
                requireKnown(text, expression);
                String what = text.equals(unknown.initial()) ? "the initial value of '" : "the solution of '";
                most = Math.max(most, layers(what + name + '\'', text, expression, new LinkedHashSet<>(), ghosts));
            }
        }
        unknowns.forEach(unknown -> requireWalls(unknown, beyond.contains(unknown.tag())));
        for (int axis = 0; axis < grid.dimensions(); axis++) {
            if (most > grid.cells(axis)) {
                throw unknowns.getFirst()
                        .text()
                        .error("the rates need " + most + " layers of ghost cells, and there "
                                + (grid.cells(axis) == 1 ? "is only 1 cell" : "are only " + grid.cells(axis) + " cells")
                                + " along "
                                + Keys.AXES.charAt(axis));
            }
        }
        return most;
    }

    /** Returns the layers that one expression needs; adds the fields of which it needs some to {@code beyond}. */
    private int layers(String what, Text text, Expr<Cell> expression, Set<Tag<?>> beyond, Set<Beyond> ghosts) {
        int most = 0;
        Lowering.Plan plan = plan(text, expression);
        for (int i = 0; i < plan.inputs().size(); i++) {
            Tag<?> tag = plan.inputs().get(i).tag();
            for (int axis = 0; axis < grid.dimensions(); axis++) {
                int layers = plan.ghosts(i, grid, axis);
                requireGhosts(what, text, tag, axis, layers);
                for (Side side : Side.values()) {
                    if (side.axis() == axis && !walls.periodic().contains(axis) && reads(plan, i, side)) {
                        ghosts.add(new Beyond(tag, plan.inputs().get(i).axis(), side, what));
                    }
                }
                most = Math.max(most, layers);
            }
            if (plan.ghosts(i, grid) > 0) {
                beyond.add(tag);
            }
        }
        return most;
    }

    /** Returns true if a loop reads ghosts of an input beyond a side. */
    private boolean reads(Lowering.Plan plan, int input, Side side) {
        int axis = side.axis();
        int more = grid.points(plan.centring(), axis)
                - grid.points(plan.inputs().get(input).centring(), axis);
        return plan.body().values().stream()
                .filter(value -> value.operator() == Value.Operator.INPUT
                        && value.element().input() == input)
                .mapToInt(value -> value.element().distance(axis))
                .anyMatch(distance -> side.isHigh() ? more + distance > 0 : distance < 0);
    }

    /** Returns the loop of an expression, after a check that the grid's type holds its numbers. */
    private Lowering.Plan plan(Text text, Expr<Cell> expression) {
        Lowering.Plan plan;
        try {
            plan = Lowering.loops(grid, Cell.class, expression.inline(given.computed()::get))
                    .getFirst();
        } catch (IllegalArgumentException e) {
            throw text.error(String.valueOf(e.getMessage()).replace("a grid of FLOAT64", "'grid.type: float64'"));
        }
        for (String name : plan.body().parameters()) {
            double value = names.parameters().getOrDefault(name, 0.0);
            String misfit = NumberRange.misfit(value, grid.type());
            if (!misfit.isEmpty()) {
                throw text.error("the parameter '" + name + "' is " + value + ", which "
                        + misfit.replace("FLOAT32", "'grid.type: float32'") + "; expected float64, or other units");
            }
        }
        return plan;
    }

    /** Refuses an initial value, or a solution, that depends on unknowns by a given field. */
    private void requireKnown(Text text, Expr<Cell> expression) {
        Set<Tag<?>> reads = expression.inline(given.computed()::get).reads();
        for (Unknown unknown : unknowns) {
            if (reads.contains(unknown.tag())) {
                throw text.error("it depends on '" + unknown.name() + "', by a given field, and that is an unknown,"
                        + " which is not known here; expected an expression of coordinates, parameters and given"
                        + " fields");
            }
        }
    }

    private void requireGhosts(String what, Text text, Tag<?> tag, int axis, int layers) {
        String reads =
                what + " needs '" + tag.name() + "' " + layers + " cells beyond the ends of " + Keys.AXES.charAt(axis);
        boolean isWalled = given.isNamed(tag)
                || unknowns.stream().anyMatch(its -> its.tag().equals(tag));
        if (layers > 1 && isWalled && !walls.periodic().contains(axis)) {
            throw text.error(reads + ", and at a wall there is 1 ghost cell: at walls an operator cannot be"
                    + " applied to another one that reaches in the same direction");
        }
        if (layers > Grid.MOST_GHOSTS || layers > grid.cells(axis)) {
            throw text.error(reads + ", and there are at most " + Math.min(Grid.MOST_GHOSTS, grid.cells(axis)));
        }
    }

    private void requireWalls(Unknown unknown, boolean isRead) {
        Map<Side, Condition> its = walls.of(unknown.name());
        for (Side side : Side.values()) {
            if (side.axis() < grid.dimensions() && !its.containsKey(side) && (isRead || !its.isEmpty())) {
                throw walls.near(unknown.name(), side)
                        .orElse(unknown.text().given())
                        .error("'" + unknown.name() + "' has no condition at " + Keys.name(side)
                                + "; expected 'unknowns." + unknown.name() + ".boundaries." + Keys.name(side)
                                + "', such as \"neumann 0\", \"dirichlet 0\" or periodic");
            }
        }
    }

    // ---- the model

    private Model model(Grid its) {
        Model model = Model.of(its);
        given.constant().forEach(model::source);
        unknowns.forEach(unknown -> model.source(unknown.tag()));
        given.computed().forEach((tag, expression) -> define(model, tag, expression));
        unknowns.forEach(unknown -> model.define(unknown.rate(), unknown.equation()));
        return model;
    }

    @SuppressWarnings("unchecked") // a given field was read for its own location
    private static <L extends Location> void define(Model model, Tag<L> tag, Expr<?> expression) {
        model.define(tag, (Expr<L>) expression);
    }

    private static Set<Tag<?>> sources(ExpressionTree tree) {
        Set<Tag<?>> all = new LinkedHashSet<>();
        tree.definitions().values().forEach(expression -> all.addAll(expression.reads()));
        all.removeAll(tree.definitions().keySet());
        return all;
    }

    Grid grid() {
        return grid;
    }

    List<Unknown> unknowns() {
        return unknowns;
    }

    /** Returns the expressions of all rates. */
    ExpressionTree tree() {
        return model(grid).tree(unknowns.stream().map(Unknown::rate).toList());
    }

    /** Returns the method that advances all unknowns by the rates of a tree. */
    Ssp.Of method(int order, ExpressionTree tree) {
        Ssp ssp = Ssp.order(order);
        for (Unknown unknown : unknowns) {
            ssp = ssp.advance(unknown.tag(), unknown.rate());
            for (Map.Entry<Side, Condition> one : walls.of(unknown.name()).entrySet()) {
                ssp = ssp.boundary(unknown.tag(), one.getKey(), one.getValue());
            }
        }
        for (String parameter : TreeRuns.parameters(tree)) {
            Double value = names.parameters().get(parameter);
            ssp = value == null ? ssp : ssp.parameter(parameter, value); // the time has none
        }
        return ssp.of(tree);
    }

    /** Sets the given fields that a tree needs and that do not change. */
    void set(FieldStore fields, ExpressionTree tree) {
        sources(tree).stream().filter(tag -> given.constant().contains(tag)).forEach(tag -> given.set(fields, tag));
    }

    /** Returns the formula that computes the values of a text at a time. */
    Formula formula(Text text) {
        return new Formula(text, names, given);
    }
}

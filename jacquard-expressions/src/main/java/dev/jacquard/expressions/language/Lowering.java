package dev.jacquard.expressions.language;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Factors.Scaled;
import dev.jacquard.expressions.language.Term.Axis;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes loops of expressions, for one grid.
 *
 * <p>Operators between neighbours multiply with numbers that the grid gives, which {@link Factors} keep apart.
 *
 * <p>Confined to one thread.
 */
public final class Lowering {
    private final Grid grid;
    private final BodyBuilder builder;
    private final Factors factors;
    private final Expansions expansions;
    private final List<Plan.Input> inputs = new ArrayList<>();
    private final IdentityHashMap<Term, Integer> numbers = new IdentityHashMap<>();
    private final Map<Key, Scaled> known = new HashMap<>();
    private final DeepWalk<Key> walk = new DeepWalk<>();

    /** A term at a distance from the point; of vectors the component along an axis. */
    private record Key(Term term, int number, Place at) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.number == number && key.at.equals(at);
        }

        @Override
        public int hashCode() {
            return 31 * number + at.hashCode();
        }
    }

    private Lowering(Grid grid) {
        this.grid = grid;
        this.builder = new BodyBuilder(grid.type());
        this.factors = new Factors(builder, grid.type());
        this.expansions = new Expansions(builder);
    }

    /**
     * Returns the loops that compute a field: one, or for a vector one for each dimension of the grid.
     *
     * @param location of the field
     * @throws IllegalArgumentException if the expression has axes that the grid lacks, or a number that is too small
     *     for its type and would become 0
     */
    public static <L extends Location> List<Plan> loops(Grid grid, Class<L> location, Expr<L> expression) {
        return loops(grid, location, expression, null);
    }

    /** Returns loops with two more results, given another expression: the distance from it, and the magnitude. */
    public static <L extends Location> List<Plan> loops(
            Grid grid, Class<L> location, Expr<L> expression, @Nullable Expr<L> other) {
        Tag<L> target = new Tag<>("result", location);
        List<Plan> plans = new ArrayList<>();
        for (int axis = 0; axis < target.components(grid); axis++) {
            plans.add(new Lowering(grid).plan(target.centring(axis), axis, expression, other));
        }
        return plans;
    }

    private Plan plan(Centring centring, int axis, Expr<?> expression, @Nullable Expr<?> other) {
        Place here = new Place(centring, axis, 0, 0, 0, null);
        List<Value> results = new ArrayList<>(List.of(whole(Term.of(expression), here)));
        if (other != null) {
            Value its = results.getFirst();
            Value difference = builder.apply(Operator.SUBTRACT, its, whole(Term.of(other), here));
            results.addAll(List.of(builder.apply(Operator.ABS, difference), builder.apply(Operator.ABS, its)));
        }
        return new Plan(centring, axis, builder.build(inputs.size(), results), inputs);
    }

    private Value whole(Term term, Place here) {
        return factors.whole(walk.run(() -> lower(term, here), key -> lower(key.term, key.at)));
    }

    /**
     * Where a term is computed: at a centring, and its component, at a distance from the loop's point.
     *
     * @param whole where that is computed from whose point coordinates are counted; null if none are
     */
    private record Place(
            Centring centring,
            int axis,
            int dx,
            int dy,
            int dz,
            @Nullable Place whole) {
        Place shifted(Centring to, int along, int by) {
            return by(to, along == 0 ? by : 0, along == 1 ? by : 0, along == 2 ? by : 0);
        }

        Place by(Centring to, int x, int y, int z) {
            return new Place(to, axis, dx + x, dy + y, dz + z, whole);
        }

        Place component(int along) {
            return new Place(Centring.face(along), along, dx, dy, dz, whole);
        }

        /** Returns the same place, of a whole that is computed there. */
        Place counted() {
            return new Place(centring, axis, dx, dy, dz, new Place(centring, axis, dx, dy, dz, null));
        }

        int distance(int along) {
            return along == 0 ? dx : along == 1 ? dy : dz;
        }
    }

    private Scaled lower(Term term, Place at) {
        int number = numbers.computeIfAbsent(term, any -> numbers.size());
        Key key = new Key(term, number, at);
        Scaled made = known.get(key);
        if (made == null) {
            walk.enter(key);
            made = make(term, at);
            walk.leave();
            known.put(key, made);
        }
        return made;
    }

    private Scaled make(Term term, Place at) {
        return switch (term) {
            case Term.Read read -> factors.plain(input(read.tag(), at));
            case Term.Inlined inlined -> factors.plain(factors.whole(lower(inlined.of(), at)));
            case Term.Literal number -> factors.plain(builder.constant(number.in(grid.type())));
            case Term.Parameter parameter -> factors.plain(builder.parameter(parameter.name()));
            case Term.Coordinate its -> {
                require(its.axis() < grid.dimensions(), its.axis());
                yield factors.plain(coordinate(its.axis(), builder.index(its.axis()), 0, at));
            }
            case Term.Counted its -> factors.plain(counted(its, at));
            case Term.Whole whole -> lower(whole.of(), at.counted());
            case Term.Apply apply -> apply(apply, at);
            case Term.Gradient gradient -> gradient(gradient, at);
            case Term.ToFaces mean -> toFaces(mean, at);
            case Term.Divergence divergence -> divergence(divergence, at);
            case Term.ToCells mean -> toCells(mean, at);
            case Term.ToNodes mean -> corners(mean.of(), at, Centring.CELL, -1);
            case Term.FromNodes mean -> corners(mean.of(), at, Centring.NODE, 1);
            case Term.Central central -> central(central, at);
            case Term.Weighted weighted -> weighted(weighted, at);
            case Term.Vector vector -> lower(vector.components().get(at.axis), at);
            case Term.Component component -> lower(component.of(), at.component(axis(component.axis(), at)));
        };
    }

    /** Returns the difference of the cells next to a face. */
    private Scaled gradient(Term.Gradient gradient, Place at) {
        int axis = axis(gradient.axis(), at);
        Scaled high = lower(gradient.of(), at.shifted(Centring.CELL, axis, 0));
        Scaled low = lower(gradient.of(), at.shifted(Centring.CELL, axis, -1));
        return factors.scale(factors.sum(Operator.SUBTRACT, high, low), 1 / grid.spacing(axis));
    }

    /** Returns the mean of the cells next to a face. */
    private Scaled toFaces(Term.ToFaces mean, Place at) {
        int axis = axis(mean.axis(), at);
        Scaled low = lower(mean.of(), at.shifted(Centring.CELL, axis, -1));
        Scaled high = lower(mean.of(), at.shifted(Centring.CELL, axis, 0));
        return factors.scale(factors.sum(Operator.ADD, low, high), 0.5);
    }

    /** Returns the differences of the faces of a cell. */
    private Scaled divergence(Term.Divergence divergence, Place at) {
        List<Scaled> all = new ArrayList<>();
        for (int axis : axes(divergence.axis())) {
            Place face = at.component(axis);
            Scaled high = lower(divergence.of(), face.shifted(face.centring, axis, 1));
            Scaled low = lower(divergence.of(), face);
            Scaled part = factors.scale(factors.sum(Operator.SUBTRACT, high, low), 1 / grid.spacing(axis));
            all.add(part);
        }
        return factors.total(all);
    }

    /** Returns the mean of the faces of a cell. */
    private Scaled toCells(Term.ToCells mean, Place at) {
        int[] axes = axes(mean.axis());
        List<Scaled> all = new ArrayList<>();
        for (int axis : axes) {
            Place face = at.component(axis);
            Scaled low = lower(mean.of(), face);
            Scaled high = lower(mean.of(), face.shifted(face.centring, axis, 1));
            Scaled part = factors.sum(Operator.ADD, low, high);
            all.add(part);
        }
        return factors.scale(factors.total(all), 0.5 / axes.length);
    }

    /** Returns the difference of the cells around a cell. */
    private Scaled central(Term.Central central, Place at) {
        int axis = axis(central.axis(), at);
        Scaled high = lower(central.of(), at.shifted(at.centring, axis, 1));
        Scaled low = lower(central.of(), at.shifted(at.centring, axis, -1));
        return factors.scale(factors.sum(Operator.SUBTRACT, high, low), 0.5 / grid.spacing(axis));
    }

    /** Returns the weighted sum of neighbours. */
    private Scaled weighted(Term.Weighted weighted, Place at) {
        List<Scaled> all = new ArrayList<>();
        for (Stencil.Point point : weighted.stencil().points()) {
            require(point.dy() == 0 || grid.dimensions() > 1, 1);
            require(point.dz() == 0 || grid.dimensions() > 2, 2);
            Scaled its = lower(weighted.of(), at.by(at.centring, point.dx(), point.dy(), point.dz()));
            Scaled part = factors.product(its, factors.plain(builder.constant(point.weight())));
            all.add(part);
        }
        return factors.total(all);
    }

    // ---- the parts of values

    private Value input(Tag<?> tag, Place at) {
        Plan.Input its = new Plan.Input(tag, tag.isVector() ? at.axis : 0);
        int number = inputs.indexOf(its);
        if (number < 0) {
            number = inputs.size();
            inputs.add(its);
        }
        return builder.input(number, at.dx, at.dy, at.dz);
    }

    /** Returns the coordinate of a place by the index that the whole has, to the bit that of this point there. */
    private Value counted(Term.Counted its, Place at) {
        require(its.axis() < grid.dimensions(), its.axis());
        Place whole = at.whole;
        if (whole == null) {
            throw new IllegalArgumentException("a coordinate along " + "xyz".charAt(its.axis())
                    + " is counted from the point of a whole, and there is none: Functions.whole makes one");
        }
        Value point = factors.whole(lower(its.index(), whole));
        return coordinate(its.axis(), point, whole.distance(its.axis()), at);
    }

    /**
     * Returns {@code start + index·h}: start is where the point of index 0 lies.
     *
     * @param from the distance of the point that has the index
     */
    private Value coordinate(int axis, Value point, int from, Place at) {
        double middle = at.centring.isStaggered(axis) ? 0 : 0.5;
        Value index = builder.apply(Operator.ADD, point, builder.constant(at.distance(axis) - from + middle));
        Value distance = builder.apply(Operator.MULTIPLY, index, builder.constant(grid.spacing(axis)));
        return builder.apply(Operator.ADD, distance, builder.constant(grid.origin(axis)));
    }

    private Scaled corners(Term of, Place at, Centring centring, int to) {
        int y = grid.dimensions() > 1 ? 1 : 0;
        int z = grid.dimensions() > 2 ? 1 : 0;
        List<Scaled> all = new ArrayList<>();
        for (int k = 0; k <= z; k++) {
            for (int j = 0; j <= y; j++) {
                for (int i = 0; i <= 1; i++) {
                    Scaled its = lower(of, at.by(centring, i * to, j * to, k * to));
                    all.add(its);
                }
            }
        }
        return factors.scale(factors.total(all), 1.0 / (2 << (y + z)));
    }

    private Scaled apply(Term.Apply apply, Place at) {
        List<Scaled> its =
                apply.arguments().stream().map(argument -> lower(argument, at)).toList();
        return switch (apply.function()) {
            case ADD -> factors.sum(Operator.ADD, its.get(0), its.get(1));
            case SUBTRACT -> factors.sum(Operator.SUBTRACT, its.get(0), its.get(1));
            case MULTIPLY -> factors.product(its.get(0), its.get(1));
            case DIVIDE -> {
                Value quotient = builder.apply(Operator.DIVIDE, its.get(0).value(), factors.whole(its.get(1)));
                yield new Scaled(quotient, its.get(0).factor());
            }
            case NEGATE -> {
                Value opposite = builder.apply(Operator.NEGATE, its.get(0).value());
                yield new Scaled(opposite, its.get(0).factor());
            }
            case ABS -> apply(Operator.ABS, its);
            case SQRT -> apply(Operator.SQRT, its);
            case MIN -> apply(Operator.MIN, its);
            case MAX -> apply(Operator.MAX, its);
            case LESS -> apply(Operator.LESS, its);
            case AT_MOST -> apply(Operator.AT_MOST, its);
            case EQUAL -> apply(Operator.EQUAL, its);
            case AND -> apply(Operator.AND, its);
            case OR -> apply(Operator.OR, its);
            case NOT -> apply(Operator.NOT, its);
            case WHERE -> apply(Operator.SELECT, its);
            case EXP -> factors.plain(expansions.exp(factors.whole(its.get(0))));
            case LOG -> factors.plain(expansions.log(factors.whole(its.get(0))));
            case SIN -> factors.plain(expansions.sin(factors.whole(its.get(0))));
            case COS -> factors.plain(expansions.cos(factors.whole(its.get(0))));
            case TANH -> factors.plain(expansions.tanh(factors.whole(its.get(0))));
            case POW -> factors.plain(expansions.pow(factors.whole(its.get(0)), factors.whole(its.get(1))));
        };
    }

    private Scaled apply(Operator operator, List<Scaled> operands) {
        Value[] its = operands.stream().map(factors::whole).toArray(Value[]::new);
        return factors.plain(builder.apply(operator, its));
    }

    // ---- axes

    private int axis(Axis axis, Place at) {
        int its = axis == Axis.ALL ? at.axis : axis.index();
        require(its < grid.dimensions(), its);
        return its;
    }

    private int[] axes(Axis axis) {
        if (axis != Axis.ALL) {
            require(axis.index() < grid.dimensions(), axis.index());
            return new int[] {axis.index()};
        }
        return IntStream.range(0, grid.dimensions()).toArray();
    }

    private void require(boolean holds, int axis) {
        if (!holds) {
            throw new IllegalArgumentException("an expression goes along " + "xyz".charAt(axis) + ", and the grid of "
                    + grid + " has " + grid.dimensions() + (grid.dimensions() == 1 ? " dimension" : " dimensions"));
        }
    }

    /**
     * The loop that computes a field, or a component of a vector.
     *
     * @param centring where the results lie
     * @param axis the component; 0 for fields that are no vector
     * @param body the computation at each point
     * @param inputs the fields that it reads, by the body's numbers
     */
    public record Plan(Centring centring, int axis, LoopBody body, List<Input> inputs) {
        /**
         * A field that a loop reads.
         *
         * @param tag the field, or the vector that it is a component of
         * @param axis the component; 0 for fields that are no vector
         */
        public record Input(Tag<?> tag, int axis) {
            /** Returns where the values lie. */
            public Centring centring() {
                return tag.centring(axis);
            }

            @Override
            public String toString() {
                return tag.isVector() ? tag + "." + "xyz".charAt(axis) : tag.toString();
            }
        }

        public Plan {
            inputs = List.copyOf(inputs);
        }

        /** Returns the number of ghost layers of an input that the loop reads when it runs over the whole interior. */
        public int ghosts(int input, Grid grid) {
            int most = 0;
            for (int along = 0; along < grid.dimensions(); along++) {
                most = Math.max(most, ghosts(input, grid, along));
            }
            return most;
        }

        /** Returns the number of ghost layers of an input that the loop reads at the ends of an axis. */
        public int ghosts(int input, Grid grid, int along) {
            Centring its = inputs.get(input).centring();
            int most = 0;
            for (Value value : body.values()) {
                if (value.operator() == Operator.INPUT && value.element().input() == input) {
                    int distance = value.element().distance(along);
                    int above = grid.points(centring, along) - grid.points(its, along) + distance;
                    most = Math.max(most, Math.max(-distance, above));
                }
            }
            return most;
        }
    }
}

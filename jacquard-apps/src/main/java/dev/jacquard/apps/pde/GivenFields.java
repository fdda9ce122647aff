package dev.jacquard.apps.pde;

import static dev.jacquard.expressions.language.Functions.coordinate;
import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Functions.whole;
import static dev.jacquard.expressions.language.Operators.vector;

import dev.jacquard.apps.pde.Keys.Centre;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.FaceY;
import dev.jacquard.expressions.field.Location.FaceZ;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.text.ExpressionParser;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The given fields of a program. One that depends on the coordinates alone is set once; one that depends on the time,
 * or on other fields, is an expression that is computed in every stage, wherever it is needed. Immutable.
 */
final class GivenFields {
    private static final String TIME = "t";

    /** The fields that are set once: the values of each component, and the texts that they come from. */
    private final Map<Tag<?>, List<Values>> constant = new LinkedHashMap<>();
    /** The fields that are computed. */
    private final Map<Tag<?>, Expr<?>> computed = new LinkedHashMap<>();
    /** The texts of all fields, one for each component. */
    private final Map<Tag<?>, List<Text>> texts = new LinkedHashMap<>();

    private final Names names;
    private final Axes axes;
    private final List<Beyond> beyond;

    /**
     * Ghost cells of a given field that an expression reads.
     *
     * @param tag the field
     * @param component its component; 0 for fields that are no vector
     * @param side beyond which the cells lie
     * @param what names the reader, for messages
     */
    record Beyond(Tag<?> tag, int component, Side side, String what) {}

    /** The values of a component; without a text they are coordinates. */
    private record Values(PointFunction function, Optional<Text> text) {}

    /**
     * Reads the fields on a grid.
     *
     * @param beyond the ghost cells that are read
     */
    GivenFields(Settings settings, Names names, Axes axes, Set<Beyond> beyond) {
        this.names = names;
        this.axes = axes;
        this.beyond = List.copyOf(beyond);
        names.fields().forEach((name, tag) -> texts.put(tag, texts(settings, name)));
        texts.forEach(this::read);
        texts.keySet().forEach(tag -> requireNoCircle(tag, new ArrayList<>()));
    }

    private List<Text> texts(Settings settings, String name) {
        int dimensions = axes.grid().dimensions();
        boolean inCells =
                Objects.requireNonNull(settings.named(Keys.AT).get(name)).value() == Centre.CELL;
        List<Setting<String>> all = new ArrayList<>(Keys.COMPONENTS);
        all.add(Keys.VALUE);
        List<Setting<String>> wanted = inCells ? List.of(Keys.VALUE) : Keys.COMPONENTS.subList(0, dimensions);
        String expected = inCells
                ? "a field in cells has a 'value'"
                : "a field on faces has a component for each dimension of the grid: "
                        + String.join(", ", Keys.AXES.substring(0, dimensions).split("", 0));
        List<Text> its = new ArrayList<>();
        for (Setting<String> setting : all) {
            Given<String> given = settings.named(setting).get(name);
            if (given != null && !wanted.contains(setting)) {
                throw given.error("'" + given.key() + "' does not belong here: " + expected);
            }
            if (given == null && wanted.contains(setting)) {
                throw settings.error(
                        Keys.FIELDS + "." + name, "'" + setting.key().replace("*", name) + "' is missing: " + expected);
            }
            if (given != null) {
                its.add(Text.of(given));
            }
        }
        return its;
    }

    private void read(Tag<?> tag, List<Text> all) {
        boolean isVector = tag.isVector();
        List<Values> values = new ArrayList<>();
        List<Expr<?>> expressions = new ArrayList<>();
        for (int axis = 0; axis < all.size(); axis++) {
            Text text = all.get(axis);
            Class<? extends Location> location = isVector ? Axes.faces(axis) : Cell.class;
            expressions.add(expression(text, location));
            function(text).ifPresent(function -> values.add(new Values(function, Optional.of(text))));
        }
        if (values.size() == all.size()) {
            constant.put(tag, values);
            return;
        }
        computed.put(tag, isVector ? components(expressions) : expressions.getFirst());
        computed.values().forEach(expression -> expression.reads().forEach(this::addCoordinate));
    }

    /**
     * Returns the text as an expression that repeats itself where the grid does: it is computed as if the point were
     * the one that it repeats. Within operators coordinates go on from there, beyond the end of the grid, too.
     */
    private <L extends Location> Expr<L> expression(Text text, Class<L> location) {
        ExpressionParser parser = names.parser();
        Set<Tag<?>> indices = new HashSet<>();
        for (int axis : axes.periodic()) {
            Tag<L> index = Axes.index(axis, location);
            indices.add(index);
            parser = parser.coordinate(axis, Axes.coordinate(axis, location), coordinate(axis, index));
        }
        ExpressionParser its = parser;
        Expr<L> all = text.read(source -> its.parse(source, location));
        return Collections.disjoint(all.reads(), indices) ? all : whole(all);
    }

    /** Returns the text as a function of the coordinates alone, if it is one. */
    private Optional<PointFunction> function(Text text) {
        return text.names().contains(TIME) ? Optional.empty() : names.function(text);
    }

    @SuppressWarnings("unchecked") // each was read for its own faces
    private static Expr<?> components(List<Expr<?>> all) {
        return vector(
                (Expr<FaceX>) all.get(0),
                all.size() > 1 ? (Expr<FaceY>) all.get(1) : number(0),
                all.size() > 2 ? (Expr<FaceZ>) all.get(2) : number(0));
    }

    private void addCoordinate(Tag<?> tag) {
        for (int axis : axes.periodic()) {
            if (tag.equals(Axes.coordinate(axis, tag.location()))) {
                constant.put(tag, List.of(new Values(Axes.coordinate(axis), Optional.empty())));
            } else if (tag.equals(Axes.index(axis, tag.location()))) {
                constant.put(tag, List.of(new Values(axes.index(axis, tag.centring(0)), Optional.empty())));
            }
        }
    }

    private void requireNoCircle(Tag<?> tag, List<Tag<?>> path) {
        int begin = path.indexOf(tag);
        path.add(tag);
        if (begin >= 0) {
            List<String> circle =
                    path.subList(begin, path.size()).stream().map(Tag::name).toList();
            throw Objects.requireNonNull(texts.get(tag))
                    .getFirst()
                    .error("'" + tag.name() + "' needs itself: " + String.join(" → ", circle));
        }
        Expr<?> expression = computed.get(tag);
        if (expression != null) {
            expression.reads().forEach(read -> requireNoCircle(read, path));
        }
        path.removeLast();
    }

    /** Returns the fields that are computed, with their expressions. */
    Map<Tag<?>, Expr<?>> computed() {
        return computed;
    }

    /** Returns true if the program names it: a field with coordinates, or their numbers, it does not. */
    boolean isNamed(Tag<?> tag) {
        return texts.containsKey(tag);
    }

    /** Returns the fields that are set once. */
    Set<Tag<?>> constant() {
        return constant.keySet();
    }

    /**
     * Sets one of the fields that are set once.
     *
     * @throws dev.jacquard.components.program.InputException if it has a value that is not finite
     */
    void set(FieldStore fields, Tag<?> tag) {
        List<Values> all = Objects.requireNonNull(constant.get(tag));
        for (int axis = 0; axis < all.size(); axis++) {
            axes.set(fields, tag, axis, 0, all.get(axis).function());
            int[] at = fields.firstNotFinite(fields.field(tag, axis));
            if (at.length > 0) {
                throw all.get(axis)
                        .text()
                        .orElseThrow()
                        .error("the given field '" + tag.name() + "' is not finite at point " + Arrays.toString(at));
            }
            requireGhosts(tag, axis, all.get(axis));
        }
    }

    /** Refuses values that are not finite in ghost cells that are read: their reader would be blamed. */
    private void requireGhosts(Tag<?> tag, int component, Values values) {
        for (Beyond cells : beyond) {
            if (cells.tag().equals(tag) && cells.component() == component) {
                Side side = cells.side();
                axes.notFinite(tag.centring(component), side, values.function()).ifPresent(at -> {
                    throw values.text()
                            .orElseThrow()
                            .error("the given field '" + tag.name() + "' is not finite beyond " + Keys.name(side)
                                    + ", at " + at + ", the centre of a ghost cell that " + cells.what()
                                    + " needs; expected an expression that has a value there, too");
                });
            }
        }
    }
}

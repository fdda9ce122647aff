package dev.jacquard.apps.pde;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.text.ExpressionParser;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The conditions of all unknowns at the ends of the grid, as a program gives them. Immutable. */
final class Walls {
    private static final String PERIODIC = "periodic";
    private static final String DIRICHLET = "dirichlet";
    private static final String NEUMANN = "neumann";
    private static final Set<String> VARIABLES = Set.of("x", "y", "z", "t");

    private final Map<String, Map<Side, Condition>> conditions;
    /** Where the program gives the conditions. */
    private final Map<String, Map<Side, Given<String>>> places;

    private final Set<Integer> periodic;

    private Walls(
            Map<String, Map<Side, Condition>> conditions,
            Map<String, Map<Side, Given<String>>> places,
            Set<Integer> periodic) {
        this.conditions = conditions;
        this.places = places;
        this.periodic = periodic;
    }

    /** Reads the conditions with a parser that knows all names, and the numbers of parameters. */
    static Walls read(Settings settings, int dimensions, ExpressionParser parser, Map<String, Double> parameters) {
        Reading reading = new Reading(settings, dimensions, parser, parameters);
        Map<String, Map<Side, Condition>> all = new LinkedHashMap<>();
        Map<String, Map<Side, Given<String>>> places = new LinkedHashMap<>();
        Set<Integer> periodic = new HashSet<>();
        for (String unknown : settings.names(Keys.UNKNOWNS)) {
            Map<Side, Given<String>> given = reading.given(unknown);
            places.put(unknown, given);
            all.put(unknown, reading.conditions(unknown, given));
        }
        for (int axis = 0; axis < dimensions; axis++) {
            if (reading.isPeriodic(axis, all)) {
                periodic.add(axis);
            }
        }
        return new Walls(all, places, periodic);
    }

    /** Returns the axes along which the grid repeats itself. */
    Set<Integer> periodic() {
        return Collections.unmodifiableSet(periodic);
    }

    /** Returns the conditions of an unknown: at all sides, or at none. */
    Map<Side, Condition> of(String unknown) {
        return conditions.getOrDefault(unknown, Map.of());
    }

    /** Returns the condition of an unknown that lies next to a side, as the program gives it; empty if it has none. */
    Optional<Given<String>> near(String unknown, Side side) {
        Map<Side, Given<String>> its = places.getOrDefault(unknown, Map.of());
        return Optional.ofNullable(its.get(side.opposite()))
                .or(() -> its.values().stream().findFirst());
    }

    /** The program while it is read. */
    private record Reading(Settings settings, int dimensions, ExpressionParser parser, Map<String, Double> parameters) {
        /** Returns the program's texts for the sides. */
        Map<Side, Given<String>> given(String unknown) {
            Map<Side, Given<String>> given = new EnumMap<>(Side.class);
            for (Side side : Side.values()) {
                Given<String> both = value(Keys.bothWalls(side.axis()), unknown);
                Given<String> one = value(Keys.wall(side), unknown);
                if (both != null && one != null) {
                    throw one.error("'" + one.key() + "' is given together with '" + both.key()
                            + "', which stands for both ends");
                }
                Given<String> text = both == null ? one : both;
                if (text != null) {
                    if (side.axis() >= dimensions) {
                        throw text.error("'" + text.key() + "' is no end of a grid of " + dimensions
                                + (dimensions == 1 ? " dimension" : " dimensions"));
                    }
                    given.put(side, text);
                }
            }
            return given;
        }

        Map<Side, Condition> conditions(String unknown, Map<Side, Given<String>> given) {
            Map<Side, Condition> its = new EnumMap<>(Side.class);
            given.forEach((side, text) -> its.put(side, condition(text)));
            given.forEach((side, text) -> {
                if (its.get(side) instanceof Condition.Periodic
                        && !(its.get(side.opposite()) instanceof Condition.Periodic)) {
                    throw text.error("'" + unknown + "' is periodic at " + Keys.name(side) + " and not at "
                            + Keys.name(side.opposite()) + ": both ends are, or none");
                }
            });
            return its;
        }

        private @Nullable Given<String> value(Setting<String> setting, String unknown) {
            return settings.named(setting).get(unknown);
        }

        private Condition condition(Given<String> given) {
            String text = given.value().strip();
            String word = text.split("\\s+", 2)[0];
            if (text.equals(PERIODIC)) {
                return Condition.periodic();
            }
            if (!List.of(DIRICHLET, NEUMANN).contains(word)) {
                throw given.error(
                        0,
                        "'" + text + "' is no condition; expected periodic, or dirichlet or neumann with an"
                                + " expression, like 'neumann 0'"
                                + NearestName.of(word, List.of(PERIODIC, DIRICHLET, NEUMANN))
                                        .map(meant -> "; did you mean '" + meant + "'?")
                                        .orElse(""));
            }
            if (word.equals(text)) {
                throw given.error(
                        0,
                        "'" + word + "' needs "
                                + (word.equals(DIRICHLET)
                                        ? "the value at the wall"
                                        : "the derivative that points outwards")
                                + ", like '" + word + " 0'");
            }
            Text expression = new Text(given, given.value().indexOf(word) + word.length());
            PointFunction function = expression.read(source -> parser.function(source, parameters));
            boolean varies = expression.names().stream().anyMatch(VARIABLES::contains);
            double constant = varies ? 0 : function.at(0, 0, 0, 0);
            if (!Double.isFinite(constant)) {
                throw expression.error("the value is " + constant + "; expected a number");
            }
            return word.equals(DIRICHLET)
                    ? varies ? Condition.dirichlet(function::at) : Condition.dirichlet(constant)
                    : varies ? Condition.neumann(function::at) : Condition.neumann(constant);
        }

        /** All unknowns that have conditions repeat themselves along an axis, or none does. */
        boolean isPeriodic(int axis, Map<String, Map<Side, Condition>> all) {
            String yes = null;
            String no = null;
            for (Map.Entry<String, Map<Side, Condition>> one : all.entrySet()) {
                for (Map.Entry<Side, Condition> side : one.getValue().entrySet()) {
                    if (side.getKey().axis() == axis) {
                        boolean repeats = side.getValue() instanceof Condition.Periodic;
                        yes = repeats ? one.getKey() : yes;
                        no = repeats ? no : one.getKey();
                    }
                }
            }
            if (yes != null && no != null) {
                throw error(axis, yes, no);
            }
            return yes != null;
        }

        private InputException error(int axis, String yes, String no) {
            return settings.error(
                    Keys.UNKNOWNS + "." + no + ".boundaries",
                    "along " + Keys.AXES.charAt(axis) + " '" + yes + "' is periodic and '" + no
                            + "' is not: all unknowns are, or none");
        }
    }
}

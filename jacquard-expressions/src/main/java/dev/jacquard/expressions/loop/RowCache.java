package dev.jacquard.expressions.loop;

import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Kind;
import dev.jacquard.expressions.loop.Value.Operator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A body with points that repeat computations of their neighbours, such as a stencil of a stencil: bodies that compute
 * such a value once for each point into a cache, and the one that reads it there. All bits are the same. Immutable.
 *
 * <p>Whether it pays is decided by the number of operations: a division or a root counts as {@value #SLOW} sums.
 */
public final class RowCache {
    private static final int SLOW = 6;
    /** The cost of keeping a value, in sums. */
    private static final int KEEP = 2;
    /**
     * The work of the bodies, with that which is done twice where parts of the cache meet, and the time between loops.
     */
    private static final double OVERHEAD = 1.15;
    /** The cost that the bodies may have at most, to that of the whole. */
    private static final double WORTH = 0.8;
    /** The candidate values, the ones that save most first, and the rounds of the choice. */
    private static final int CANDIDATES = 24;
    /** Larger bodies are left as they are: the choice takes a time that grows with its square. */
    private static final int MOST_VALUES = 5_000;

    /** A distance from one point to another. */
    private record Shift(int dx, int dy, int dz) implements Comparable<Shift> {
        private static final Comparator<Shift> ORDER =
                Comparator.comparingInt(Shift::dz).thenComparingInt(Shift::dy).thenComparingInt(Shift::dx);

        static Shift of(Element element) {
            return new Shift(element.dx(), element.dy(), element.dz());
        }

        Shift minus(Shift other) {
            return new Shift(dx - other.dx, dy - other.dy, dz - other.dz);
        }

        int along(int axis) {
            return axis == 0 ? dx : axis == 1 ? dy : dz;
        }

        /** Returns the largest distance along an axis. */
        int length() {
            return Math.max(Math.abs(dx), Math.max(Math.abs(dy), Math.abs(dz)));
        }

        @Override
        public int compareTo(Shift other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * The computation of a value, at whatever point.
     *
     * @param number of all values that compute the same at other points
     * @param at where this one computes it; null for the same everywhere
     */
    private record Form(int number, @Nullable Shift at) {}

    /** An operand of a form, at a distance from the first one. */
    private record Part(int number, @Nullable Shift from) {}

    private record Key(Operator operator, Object detail, List<Part> parts) {}

    /**
     * A body that fills a part of the cache.
     *
     * @param body reads the inputs of the whole, and has its constants and parameters
     * @param low the least distance along x, y and z from a point of the whole to one where it is computed, 0 or less
     * @param high the largest one, 0 or more
     */
    public record Stage(LoopBody body, List<Integer> low, List<Integer> high) {
        public Stage {
            low = List.copyOf(low);
            high = List.copyOf(high);
        }
    }

    private final LoopBody whole;
    private final List<Stage> stages = new ArrayList<>();
    private final LoopBody rest;

    private RowCache(LoopBody whole, List<Candidate> chosen) {
        this.whole = whole;
        Map<List<Integer>, List<Candidate>> groups = new LinkedHashMap<>();
        chosen.forEach(one ->
                groups.computeIfAbsent(one.box(), any -> new ArrayList<>()).add(one));
        Map<Value, Element> read = new HashMap<>();
        int input = whole.inputs();
        for (List<Candidate> group : groups.values()) {
            List<Integer> box = group.getFirst().box();
            LoopBody body =
                    body(whole.inputs(), group.stream().map(Candidate::middle).toList(), Map.of());
            stages.add(new Stage(body, box.subList(0, 3), box.subList(3, 6)));
            for (Candidate one : group) {
                int number = input++;
                one.distances()
                        .forEach(
                                (value, from) -> read.put(value, new Element(number, from.dx(), from.dy(), from.dz())));
            }
        }
        this.rest = body(input, whole.results(), read);
    }

    /** Returns the bodies in which a body's values are computed once; nothing if that does not pay. */
    public static Optional<RowCache> of(LoopBody body) {
        if (body.values().size() > MOST_VALUES) {
            return Optional.empty();
        }
        List<Candidate> candidates = new Finder(body).candidates();
        double whole = cost(body.results(), Set.of());
        double least = whole * WORTH;
        List<Candidate> best = List.of();
        boolean isBetter = !candidates.isEmpty();
        while (isBetter) {
            isBetter = false;
            List<Candidate> from = best;
            for (Candidate candidate : candidates) {
                if (!from.contains(candidate)) {
                    List<Candidate> more = new ArrayList<>(from);
                    more.add(candidate);
                    double its = cost(body, more);
                    if (its < least) {
                        least = its;
                        best = more;
                        isBetter = true;
                    }
                }
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(new RowCache(body, best));
    }

    /** Returns the bodies that fill the cache, each of which reads the inputs alone. */
    public List<Stage> stages() {
        return List.copyOf(stages);
    }

    /**
     * Returns the body that computes the results: its inputs are the inputs of the whole body, then the stages'
     * results.
     */
    public LoopBody rest() {
        return rest;
    }

    // ---- the choice

    /**
     * Values that compute the same at several points.
     *
     * @param middle the one with the least distance from all others
     * @param distances of all of them from that one
     * @param box the least distance along each axis, then the largest
     */
    private record Candidate(Value middle, Map<Value, Shift> distances, List<Integer> box, double cost) {
        static Candidate of(Map<Value, Shift> places) {
            Value middle = places.keySet().stream()
                    .min(Comparator.<Value>comparingInt(value -> places.values().stream()
                                    .mapToInt(at -> at.minus(Objects.requireNonNull(places.get(value)))
                                            .length())
                                    .max()
                                    .orElse(0))
                            .thenComparingInt(Value::number))
                    .orElseThrow();
            Shift from = Objects.requireNonNull(places.get(middle));
            Map<Value, Shift> distances = new LinkedHashMap<>();
            places.forEach((value, at) -> distances.put(value, at.minus(from)));
            List<Integer> box = new ArrayList<>();
            for (boolean high : new boolean[] {false, true}) {
                for (int axis = 0; axis < 3; axis++) {
                    int along = axis;
                    var all = distances.values().stream().mapToInt(at -> at.along(along));
                    box.add((high ? all.max() : all.min()).orElse(0));
                }
            }
            return new Candidate(middle, distances, List.copyOf(box), RowCache.cost(List.of(middle), Set.of()));
        }

        double saved() {
            return (distances.size() - 1) * (cost - 1);
        }
    }

    /** Returns the cost of a body with some values from a cache, which is filled, too. */
    private static double cost(LoopBody body, List<Candidate> cached) {
        Set<Value> read = new HashSet<>();
        Map<List<Integer>, List<Value>> stages = new LinkedHashMap<>();
        for (Candidate one : cached) {
            read.addAll(one.distances().keySet());
            stages.computeIfAbsent(one.box(), any -> new ArrayList<>()).add(one.middle());
        }
        double sum = cost(body.results(), read);
        for (List<Value> stage : stages.values()) {
            sum += cost(stage, Set.of()) + KEEP * stage.size();
        }
        return sum * OVERHEAD;
    }

    /** Returns the cost of computing values at a point, given others. */
    private static double cost(List<Value> results, Set<Value> given) {
        Set<Value> seen = new HashSet<>();
        List<Value> left = new ArrayList<>(results);
        double sum = 0;
        while (!left.isEmpty()) {
            Value value = left.removeLast();
            if (seen.add(value)) {
                if (given.contains(value)) {
                    sum += 1;
                } else {
                    sum += switch (value.operator()) {
                        case CONSTANT, PARAMETER, INTEGER, INDEX -> 0;
                        case DIVIDE, SQRT -> SLOW;
                        default -> 1;
                    };
                    left.addAll(value.operands());
                }
            }
        }
        return sum;
    }

    /** Finds the values that compute the same at several points. */
    private static final class Finder {
        private final LoopBody body;
        private final Map<Key, Integer> numbers = new HashMap<>();
        /** The form of each value by its number; null where it depends on the indices of the point. */
        private final @Nullable Form[] forms;

        Finder(LoopBody body) {
            this.body = body;
            this.forms = new Form[body.values().size()];
        }

        /** Returns the values that may pay, the ones that save most first. */
        List<Candidate> candidates() {
            Map<Integer, Map<Value, Shift>> all = new LinkedHashMap<>();
            for (Value value : body.values()) {
                Form form = form(value);
                forms[value.number()] = form;
                if (form != null
                        && form.at() != null
                        && value.kind() == Kind.REAL
                        && !value.operands().isEmpty()) {
                    all.computeIfAbsent(form.number(), any -> new LinkedHashMap<>())
                            .put(value, form.at());
                }
            }
            return all.values().stream()
                    .filter(places -> places.size() > 1)
                    .map(Candidate::of)
                    .filter(candidate -> candidate.saved() > 0)
                    .sorted(Comparator.comparingDouble(Candidate::saved).reversed())
                    .limit(CANDIDATES)
                    .toList();
        }

        private @Nullable Form form(Value value) {
            return switch (value.operator()) {
                case INPUT -> {
                    Element element = value.element();
                    Key key = new Key(value.operator(), element.input(), List.of());
                    yield new Form(number(key), Shift.of(element));
                }
                case INDEX -> null;
                default -> ofOperands(value);
            };
        }

        private @Nullable Form ofOperands(Value value) {
            List<Form> its = new ArrayList<>();
            for (Value operand : value.operands()) {
                Form form = forms[operand.number()];
                if (form == null) {
                    return null;
                }
                its.add(form);
            }
            if (value.operator() == Operator.ADD || value.operator() == Operator.MULTIPLY) {
                // which comes first depends on the point: both orders give the same bits
                its.sort(Comparator.comparingInt(Form::number)
                        .thenComparing(form -> Objects.requireNonNullElse(form.at(), new Shift(0, 0, 0))));
            }
            Shift first = its.stream()
                    .map(Form::at)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            List<Part> parts = new ArrayList<>();
            for (Form form : its) {
                parts.add(new Part(
                        form.number(),
                        form.at() == null || first == null ? null : form.at().minus(first)));
            }
            return new Form(number(new Key(value.operator(), value.detail(), parts)), first);
        }

        private int number(Key key) {
            return numbers.computeIfAbsent(key, any -> numbers.size());
        }
    }

    // ---- bodies

    /** Returns the body that computes some values of the whole, others of which are read. */
    private LoopBody body(int inputs, List<Value> results, Map<Value, Element> read) {
        Set<Value> needed = needed(results, read.keySet());
        List<Value> values = new ArrayList<>();
        Map<Value, Value> made = new HashMap<>();
        for (Value value : whole.values()) {
            if (needed.contains(value)) {
                Element element = read.get(value);
                Value its = element != null
                        ? new Value(values.size(), Operator.INPUT, List.of(), element)
                        : new Value(
                                values.size(),
                                value.operator(),
                                value.operands().stream()
                                        .map(operand -> Objects.requireNonNull(made.get(operand)))
                                        .toList(),
                                value.detail());
                values.add(its);
                made.put(value, its);
            }
        }
        return new LoopBody(
                whole.type(),
                inputs,
                values,
                results.stream()
                        .map(result -> Objects.requireNonNull(made.get(result)))
                        .toList(),
                whole.constants(),
                whole.parameters());
    }

    private static Set<Value> needed(List<Value> results, Set<Value> given) {
        Set<Value> needed = new LinkedHashSet<>();
        List<Value> left = new ArrayList<>(results);
        while (!left.isEmpty()) {
            Value value = left.removeLast();
            if (needed.add(value) && !given.contains(value)) {
                left.addAll(value.operands());
            }
        }
        return needed;
    }
}

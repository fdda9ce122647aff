package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.files.FieldFiles;
import dev.jacquard.expressions.files.Slice;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The fields on one grid, by their tags, and a pool of fields without one that it lends and takes back. Their memory is
 * the session's, which makes it when a field is first written; {@link #close} gives it back.
 *
 * <pre>{@code
 * FieldStore fields = FieldStore.open(session, grid);
 * fields.set(T, (x, y, z) -> Math.sin(Math.PI * y));
 * }</pre>
 *
 * <p>Threads: any, one at a time. What looks at values waits for the tasks that write them, so no task may call it.
 *
 * <p>Source: the expressions thesis, section 2.2.2 (the field manager).
 */
public final class FieldStore implements AutoCloseable {
    private final Session session;
    private final Grid grid;
    private final Loops loops = new Loops();
    private final Map<Key, Field> fields = new HashMap<>();
    private final Map<Centring, Deque<Field>> free = new EnumMap<>(Centring.class);
    /** The memory of all fields made so far: each begins at another place of a page. */
    private final List<Data> made = new ArrayList<>();

    /** The memory that the temporaries of trees share, by the centrings that it has room for. */
    private final Map<Set<Centring>, List<Data>> shared = new HashMap<>();

    /** The fields that trees compute without memory of their own, and the reasons. */
    private final Map<Tag<?>, String> unstored = new HashMap<>();

    /** The fields that are lent: what is taken back twice would be lent to two. */
    private final Set<Field> lent = new HashSet<>();

    private boolean closed;

    private record Key(Tag<?> tag, int axis) {
        /** Returns the name of the field. */
        String text() {
            return tag.isVector() ? tag.name() + "." + "xyz".charAt(axis) : tag.name();
        }

        /** Returns the same values under the name of this. */
        Field renamed(Field field) {
            return new Field(text(), field.grid(), field.centring(), field.data());
        }
    }

    /** A function of a point's coordinates; 0 along axes that the grid lacks. */
    @FunctionalInterface
    public interface PointFunction {
        /** Returns the value at a point. */
        double at(double x, double y, double z);
    }

    private FieldStore(Session session, Grid grid) {
        this.session = session;
        this.grid = grid;
    }

    /** Returns a store without fields. */
    public static FieldStore open(Session session, Grid grid) {
        Objects.requireNonNull(session, "session");
        Objects.requireNonNull(grid, "grid");
        return new FieldStore(session, grid);
    }

    /** Returns the grid of all fields. */
    public Grid grid() {
        return grid;
    }

    /** Returns the session whose tasks may access the fields. */
    public Session session() {
        return session;
    }

    /** Returns the loops that were made for expressions on these fields. */
    public Loops loops() {
        return loops;
    }

    // ---- fields

    /** Returns the field of a tag, which is made when there is none yet. */
    public Field field(Tag<?> tag) {
        if (tag.isVector()) {
            throw new IllegalArgumentException(
                    "\"" + tag + "\" is a vector of " + grid.dimensions() + " fields: field(tag, axis) is one of them");
        }
        return field(tag, 0);
    }

    /**
     * Returns the field of a component of a vector; of other tags the field itself.
     *
     * @param axis 0 for x
     */
    public Field field(Tag<?> tag, int axis) {
        Objects.requireNonNull(tag, "tag");
        if (axis < 0 || axis >= grid.dimensions()) {
            throw new IllegalArgumentException("a grid of " + grid + " has no axis " + axis);
        }
        return fields.computeIfAbsent(new Key(tag, tag.isVector() ? axis : 0), key -> {
            String reason = unstored.get(tag);
            if (reason != null) {
                throw new IllegalStateException("\"" + tag + "\" " + reason
                        + ": ExpressionTree.keep gives it a field whose values can be looked at");
            }
            return make(key.text(), tag.centring(axis));
        });
    }

    /**
     * Exchanges the fields of two tags: what was computed for one is the other's from now on. Graphs that were recorded
     * before go on with the fields that they know.
     *
     * @throws IllegalArgumentException if they have different locations
     */
    public void swap(Tag<?> one, Tag<?> other) {
        requireEqualLocations(one, other);
        for (int axis = 0; axis < one.components(grid); axis++) {
            Key firstKey = new Key(one, axis);
            Key secondKey = new Key(other, axis);
            Field first = field(one, axis);
            fields.put(firstKey, firstKey.renamed(field(other, axis)));
            fields.put(secondKey, secondKey.renamed(first));
        }
    }

    /**
     * Gives the fields of a tag a second name: an expression of the one may be assigned to the other.
     *
     * @throws IllegalArgumentException if they have different locations
     */
    public void alias(Tag<?> name, Tag<?> of) {
        requireEqualLocations(name, of);
        for (int axis = 0; axis < of.components(grid); axis++) {
            Key key = new Key(name, axis);
            fields.put(key, key.renamed(field(of, axis)));
        }
    }

    private static void requireEqualLocations(Tag<?> one, Tag<?> other) {
        if (!one.location().equals(other.location())) {
            throw new IllegalArgumentException("\"" + one + "\" and \"" + other + "\" lie at different points: "
                    + one.centring(0).text() + " and " + other.centring(0).text());
        }
    }

    // ---- fields of trees

    /** Notes that a tree computes a field that has no memory of its own, or that it has one. */
    void setUnstored(Tag<?> tag, @Nullable String reason) {
        if (reason == null) {
            unstored.remove(tag);
        } else if (!fields.containsKey(new Key(tag, 0))) {
            unstored.put(tag, reason);
        }
    }

    /**
     * Returns a field in memory that other fields use at other times.
     *
     * @param number which of these memories
     * @param centrings those that the memory has room for
     */
    Field shared(Tag<?> tag, int axis, int number, Set<Centring> centrings) {
        List<Data> all = shared.computeIfAbsent(Set.copyOf(centrings), any -> new ArrayList<>());
        while (all.size() <= number) {
            all.add(memory("temporary " + made.size(), centrings));
        }
        return new Field(new Key(tag, axis).text(), grid, tag.centring(axis), all.get(number));
    }

    /** Lends a field, whose values are anything. {@link #takeBack} ends the loan. */
    public Field lend(Centring centring) {
        Field field = free.computeIfAbsent(centring, any -> new ArrayDeque<>()).poll();
        Field its = field == null ? make("temporary " + made.size(), centring) : field;
        lent.add(its);
        return its;
    }

    /**
     * Takes back a field that was lent: later tasks may write it for something else.
     *
     * @throws IllegalArgumentException if this store has not lent it, or has it back already
     */
    public void takeBack(Field field) {
        Objects.requireNonNull(field, "field");
        if (!lent.remove(field)) {
            throw new IllegalArgumentException("field \"" + field.name() + "\" is not lent by this store now");
        }
        free.computeIfAbsent(field.centring(), any -> new ArrayDeque<>()).push(field);
    }

    private Field make(String name, Centring centring) {
        return new Field(name, grid, centring, memory(name, EnumSet.of(centring)));
    }

    private Data memory(String name, Set<Centring> centrings) {
        if (closed) {
            throw new IllegalStateException("field \"" + name + "\" was asked for after its store was closed");
        }
        Data data = session.data().of(name, grid.layout(centrings, made.size()));
        made.add(data);
        return data;
    }

    // ---- values

    /** Sets a field, or each component of a vector, everywhere, ghosts included. */
    public void set(Tag<?> tag, PointFunction function) {
        Objects.requireNonNull(function, "function");
        for (int axis = 0; axis < tag.components(grid); axis++) {
            set(field(tag, axis), function);
        }
    }

    /** Sets a field everywhere, ghosts included. */
    public void set(Field field, PointFunction function) {
        try (UserView view = session.data().open(field.data(), Mode.WRITE)) {
            new FieldValues(field, view.memory()).set(function);
        }
    }

    /** Returns the values without ghosts; x varies fastest. */
    public double[] values(Tag<?> tag) {
        return values(field(tag));
    }

    /** Returns the values of a field without its ghosts; x varies fastest. */
    public double[] values(Field field) {
        try (UserView view = session.data().open(field.data(), Mode.READ)) {
            return new FieldValues(field, view.memory()).values();
        }
    }

    // ---- files

    /** Returns the writer of files with these fields: arrays, images, animations, checkpoints. */
    public FieldFiles files() {
        return FieldFiles.of(
                session,
                tag -> IntStream.range(0, tag.components(grid))
                        .mapToObj(axis -> field(tag, axis))
                        .toList());
    }

    /** Writes a picture of a slice of a field, as {@link FieldFiles#image} does. */
    public void image(Tag<?> tag, Slice slice, Path file) throws IOException {
        files().image(tag, slice, file);
    }

    // ---- reductions

    /** Returns the root of the mean square of a field, without ghosts. */
    public double norm2(Tag<?> tag) {
        Field field = field(tag);
        double sum = reduce(field, 0, (all, value) -> all + value * value, Double::sum);
        return Math.sqrt(sum / grid.interior(field.centring()).points());
    }

    /** Returns the sum of a field, without ghosts. */
    public double sum(Tag<?> tag) {
        return reduce(field(tag), 0, Double::sum, Double::sum);
    }

    /** Returns the least value of a field, without ghosts; NaN if one value is. */
    public double min(Tag<?> tag) {
        return reduce(field(tag), Double.POSITIVE_INFINITY, Math::min, Math::min);
    }

    /** Returns the greatest value of a field, without ghosts; NaN if one value is. */
    public double max(Tag<?> tag) {
        return reduce(field(tag), Double.NEGATIVE_INFINITY, Math::max, Math::max);
    }

    private double reduce(Field field, double start, DoubleBinaryOperator add, DoubleBinaryOperator join) {
        try (UserView view = session.data().open(field.data(), Mode.READ)) {
            return new FieldValues(field, view.memory()).reduce(start, add, join);
        }
    }

    /**
     * Returns the indices along x, y and z of the first point, without ghosts, whose value is no number or infinite; an
     * empty array if there is none.
     */
    public int[] firstNotFinite(Field field) {
        try (UserView view = session.data().open(field.data(), Mode.READ)) {
            return new FieldValues(field, view.memory()).firstNotFinite();
        }
    }

    /** Gives back the memory of all fields. No task may use them any more. */
    @Override
    public void close() {
        closed = true;
        made.forEach(session.data()::free);
        made.clear();
        fields.clear();
        shared.clear();
        free.clear();
        lent.clear();
    }
}

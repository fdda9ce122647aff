package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.files.FieldFiles;
import dev.jacquard.expressions.files.Slice;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
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
 * <p>Threads: any, one at a time. Methods that look at values wait for the tasks that write them, so no task may call
 * them.
 *
 * <p>Source: the expressions thesis, section 2.2.2 (the field manager).
 */
public final class FieldStore implements AutoCloseable {
    /** The points of a grid on which a step that the JVM interprets takes some tens of milliseconds. */
    private static final int WARMED_POINTS = 1 << 17;

    private final Session session;
    private final Grid grid;
    private final Loops loops;
    private final FieldPool pool;
    /** Tasks of recorded graphs read it, too. */
    private final Map<FieldKey, GridField> fields = new ConcurrentHashMap<>();

    /** The fields without values that can be looked at. */
    final OldValues old;

    private final OperatorDatabase operators = OperatorDatabase.standard();
    /** The targets on which fields live that are not the host's. */
    private final Map<Tag<?>, ExecutionTarget> targets = new HashMap<>();

    /** A function of a point's coordinates; 0 along axes that the grid lacks. */
    @FunctionalInterface
    public interface PointFunction {
        /** Returns the value at a point. */
        double at(double x, double y, double z);
    }

    private FieldStore(Session session, Grid grid) {
        this.session = session;
        this.grid = grid;
        this.pool = new FieldPool(session, grid);
        this.old = new OldValues(grid, fields, pool::isExternal);
        boolean ahead = grid.interior(Centring.CELL).points() >= WARMED_POINTS
                && DeviceTargets.all(session).isEmpty();
        this.loops = new Loops(body -> session.executor().dedicated("jacquard-warming", body), ahead);
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

    /** Returns the session with the tasks that may access the fields. */
    public Session session() {
        return session;
    }

    /**
     * Returns the loops that were made for expressions on these fields. On grids of 131,072 points and more, in
     * sessions without devices, they are {@linkplain Loops#warm(boolean) warmed} when they are made; else they are
     * interpreted until they have done so much work that loops in lanes pay.
     */
    public Loops loops() {
        return loops;
    }

    /** Returns the operators on these fields, to which users add theirs. */
    public OperatorDatabase operators() {
        return operators;
    }

    // ---- fields

    /**
     * Lets fields live on a target: tasks that are assigned to them from now on run there, and their values come home
     * only when something asks for them, such as {@link #values}.
     *
     * @param target a kind of device, or the name of one; {@link ExecutionTarget#HOST} lets them live here again
     * @throws IllegalStateException if the session has no such device
     */
    public void live(ExecutionTarget target, Tag<?>... tags) {
        Objects.requireNonNull(target, "target");
        for (Tag<?> tag : tags) {
            DeviceTargets.named(session, Objects.requireNonNull(tag, "tag").toString(), target);
        }
        for (Tag<?> tag : tags) {
            targets.put(tag, target);
        }
    }

    /** Returns the target to which a field was assigned; null if the session places its tasks. */
    @Nullable
    ExecutionTarget target(Tag<?> tag) {
        return targets.get(tag);
    }

    /**
     * Uses memory of the user's for a field, as it is: its first element is the first ghost of all axes. Expressions
     * read it, and compute into it unless it is read-only. Results of a device are copied to the host when values are
     * looked at, or by {@code session.data().fetch(field(tag).data())}.
     *
     * @param memory on the heap or off it, open to all threads, until the store is closed
     * @param strides elements from one point to the next along each axis, x first, where it is 1; none for points
     *     without gaps. Memory between rows is left as it is
     * @throws IllegalArgumentException if the tag has a field already or is a vector, or a tree was submitted or
     *     recorded that computes it without memory, or the memory is too small, is of a confined arena, has elements of
     *     another type, or points at these strides would overlap, or not be next to each other along x, or have
     *     elements in common with another field, unless both are read-only
     */
    public void external(Tag<?> tag, MemorySegment memory, long... strides) {
        Objects.requireNonNull(memory, "memory");
        FieldKey key = FieldKey.unused(tag, grid, fields, old);
        fields.put(key, pool.external(tag.name(), tag.centring(0), memory, strides));
    }

    /**
     * Uses data of the session for a field, as it is: expressions read the values that tasks of other kinds write into
     * it, and compute into it unless it is read-only. It stays the user's when the store is closed.
     *
     * @param data of as many elements along each dimension as the field has points with its ghosts along an axis, x
     *     last, for instance of {@link Grid#layout}
     * @throws IllegalArgumentException if the tag has a field already or is a vector, or a tree was submitted or
     *     recorded that computes it without memory, or the data has other elements, is another session's, is freed, is
     *     aligned for rows with other ghosts, or is another field's of this store, or its array has elements in common
     *     with one, unless both are read-only
     */
    public void external(Tag<?> tag, Data data) {
        Objects.requireNonNull(data, "data");
        FieldKey key = FieldKey.unused(tag, grid, fields, old);
        fields.put(key, pool.external(tag.name(), tag.centring(0), data));
    }

    /** Returns the field of a tag, which is made when there is none yet. */
    public GridField field(Tag<?> tag) {
        Objects.requireNonNull(tag, "tag");
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
    public GridField field(Tag<?> tag, int axis) {
        Objects.requireNonNull(tag, "tag");
        if (axis < 0 || axis >= grid.dimensions()) {
            throw new IllegalArgumentException("a grid of " + grid + " has no axis " + axis);
        }
        return fields.computeIfAbsent(new FieldKey(tag, tag.isVector() ? axis : 0), key -> {
            FieldKey.requireOnGrid(grid, tag, "there is no field ");
            old.requireStored(tag);
            return pool.make(key.text(), tag.centring(axis));
        });
    }

    /**
     * Returns the same field, for a reader of its values as they are now: a task of the user's own, an
     * {@link Exchange}.
     *
     * @throws IllegalStateException if it has none: a tree has computed it since it was written, without its own memory
     */
    public GridField current(Tag<?> tag, int axis) {
        return old.requireNew(field(tag, axis));
    }

    /**
     * Exchanges the fields of two tags: values computed for one are the other's from now on. Graphs that were recorded,
     * and {@link Boundaries} and {@link Assignment assignments} that were made before, go on with the fields that they
     * know.
     *
     * @throws IllegalArgumentException if they have different locations
     */
    public void swap(Tag<?> one, Tag<?> other) {
        FieldKey.requireEqualLocations(one, other);
        for (int axis = 0; axis < one.components(grid); axis++) {
            FieldKey firstKey = new FieldKey(one, axis);
            FieldKey secondKey = new FieldKey(other, axis);
            GridField first = field(one, axis);
            fields.put(firstKey, firstKey.renamed(field(other, axis)));
            fields.put(secondKey, secondKey.renamed(first));
        }
    }

    /**
     * Gives the fields of a tag a second name: an expression of the one may be assigned to the other. A tree that reads
     * the one name after it has computed the other is refused, and so is one that computes both.
     *
     * @throws IllegalArgumentException if they have different locations
     */
    public void alias(Tag<?> name, Tag<?> of) {
        FieldKey.requireEqualLocations(name, of);
        for (int axis = 0; axis < of.components(grid); axis++) {
            FieldKey key = new FieldKey(name, axis);
            fields.put(key, key.renamed(field(of, axis)));
        }
    }

    // ---- fields of trees

    /** Returns the memory of the fields. */
    FieldPool pool() {
        return pool;
    }

    /** Lends a field with undefined values. {@link #takeBack} ends the loan. */
    public GridField lend(Centring centring) {
        return pool.lend(centring);
    }

    /**
     * Takes back a field that was lent: later tasks may write it for something else.
     *
     * @throws IllegalArgumentException if this store has not lent it, or has it back already
     */
    public void takeBack(GridField field) {
        pool.takeBack(field);
    }

    // ---- values

    /**
     * Sets a field, or each component of a vector, everywhere, ghosts included.
     *
     * @throws java.util.concurrent.CancellationException as {@link #set(GridField, PointFunction)}
     */
    public void set(Tag<?> tag, PointFunction function) {
        Objects.requireNonNull(tag, "tag");
        Objects.requireNonNull(function, "function");
        for (int axis = 0; axis < tag.components(grid); axis++) {
            set(FieldLookup.of(this).written(tag, axis), function);
        }
    }

    /**
     * Sets a field everywhere, ghosts included. If the function throws, the field has no values until it is set again.
     *
     * @throws java.util.concurrent.CancellationException if the calling thread is interrupted before all values are
     *     set; it stays interrupted
     */
    public void set(GridField field, PointFunction function) {
        field.requireWritable();
        try (UserView view = session.data().open(field.data(), Mode.WRITE)) {
            old.setBrokenOff(field);
            new FieldValues(field, view.memory()).set(function);
            old.written(field.data());
        }
    }

    /**
     * Returns the values without ghosts; x varies fastest.
     *
     * @throws IllegalStateException if a tree has computed the field since it was written, and given it no memory of
     *     its own; as do all that look at values
     */
    public double[] values(Tag<?> tag) {
        return values(field(tag));
    }

    /** Returns the values of a field without its ghosts; x varies fastest. */
    public double[] values(GridField field) {
        return FieldValues.look(session, old, field, FieldValues::values);
    }

    // ---- files

    /** Returns the writer of files with these fields: arrays, images, animations, checkpoints. */
    public FieldFiles files() {
        return FieldFiles.of(
                session,
                (tag, mode) -> IntStream.range(0, tag.components(grid))
                        .mapToObj(axis -> mode == Mode.READ
                                ? field(tag, axis)
                                : FieldLookup.of(this).written(tag, axis))
                        .toList(),
                (field, mode) -> {
                    if (mode == Mode.READ) {
                        old.requireNew(field);
                    } else {
                        old.written(field.data());
                    }
                });
    }

    /** Writes a picture of a slice of a field, as {@link FieldFiles#image} does. */
    public void image(Tag<?> tag, Slice slice, Path file) throws IOException {
        files().image(tag, slice, file);
    }

    // ---- reductions

    /** Returns the root of the mean square of a field, without ghosts. */
    public double norm2(Tag<?> tag) {
        return FieldValues.look(session, old, field(tag), FieldValues::norm2);
    }

    /** Returns the sum of a field, without ghosts. */
    public double sum(Tag<?> tag) {
        return FieldValues.look(session, old, field(tag), values -> values.reduce(0, Double::sum, Double::sum));
    }

    /** Returns the least value of a field, without ghosts; NaN if one value is. */
    public double min(Tag<?> tag) {
        return FieldValues.look(
                session, old, field(tag), values -> values.reduce(Double.POSITIVE_INFINITY, Math::min, Math::min));
    }

    /** Returns the greatest value of a field, without ghosts; NaN if one value is. */
    public double max(Tag<?> tag) {
        return FieldValues.look(
                session, old, field(tag), values -> values.reduce(Double.NEGATIVE_INFINITY, Math::max, Math::max));
    }

    /**
     * Returns the indices along x, y and z of the first point, without ghosts, with a value that is no number or
     * infinite; an empty array if there is none.
     */
    public int[] firstNotFinite(GridField field) {
        return FieldValues.look(session, old, field, FieldValues::firstNotFinite);
    }

    /** Gives back the memory of all fields, before the session is closed. No task may use them any more. */
    @Override
    public void close() {
        loops.warm(false);
        pool.close();
        fields.clear();
        old.clear();
    }
}

package dev.jacquard.expressions.tree;

import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The memory of the fields of a store: fields of their own, fields that are lent and taken back, and memory that the
 * temporaries of trees share.
 *
 * <p>Threads: any, one at a time.
 */
final class FieldPool {
    private final Session session;
    private final Grid grid;
    private final Map<Centring, Deque<GridField>> free = new EnumMap<>(Centring.class);
    /** The memory of all fields made so far: each begins at another place of a page. */
    private final List<Data> made = new ArrayList<>();

    /** The memory of temporaries of recorded graphs: a run has one place among tasks and other runs. */
    private final Map<Set<Centring>, List<Data>> recorded = new HashMap<>();

    /**
     * The memory of temporaries of trees that are submitted live: any thread may begin a run of a recorded graph, which
     * has its place between two of their tasks then.
     */
    private final Map<Set<Centring>, List<Data>> live = new HashMap<>();

    /** Numbers that tasks of the host compute for devices, by their names. */
    private final Map<String, Data> numbers = new HashMap<>();

    /** The fields that are lent: a field that is taken back twice would be lent to two. */
    private final Set<GridField> lent = new HashSet<>();

    private final UserMemory external = new UserMemory();

    /** The data of users in which fields are. */
    private final Set<Data> users = new HashSet<>();

    private boolean closed;

    FieldPool(Session session, Grid grid) {
        this.session = session;
        this.grid = grid;
    }

    /** Returns a new field. */
    GridField make(String name, Centring centring) {
        return new GridField(name, grid, centring, memory(name, EnumSet.of(centring)));
    }

    /** Returns the memory for temporaries of recorded graphs. */
    Temporaries recorded() {
        return shared(recorded);
    }

    /** Returns the memory for temporaries of trees that are submitted live. */
    Temporaries live() {
        return shared(live);
    }

    /**
     * Returns the memory for temporaries of a tree that is submitted: its own inside of a task, which may run in the
     * midst of another submission, in a thread that waits for room there, and may only access data that it has declared
     * or made.
     */
    Temporaries of(Tasks graph) {
        if (graph instanceof Recorder) {
            return recorded();
        }
        return session.executor().isInsideNode() ? new Own() : live();
    }

    private Temporaries shared(Map<Set<Centring>, List<Data>> memory) {
        return (name, centring, number, centrings) -> {
            List<Data> all = memory.computeIfAbsent(Set.copyOf(centrings), any -> new ArrayList<>());
            while (all.size() <= number) {
                all.add(memory("temporary " + made.size(), centrings));
            }
            return new GridField(name, grid, centring, all.get(number));
        };
    }

    /** Memory for one submission, which is given back after its tasks. */
    private final class Own implements Temporaries {
        private final Map<Integer, Data> all = new HashMap<>();

        @Override
        public GridField field(String name, Centring centring, int number, Set<Centring> centrings) {
            Data data = all.computeIfAbsent(number, any -> {
                requireOpen(name);
                return session.data().of("temporary " + number, grid.layout(centrings, made.size() + number));
            });
            return new GridField(name, grid, centring, data);
        }

        @Override
        public void submitted(Tasks graph) {
            all.values().forEach(graph::release);
        }
    }

    /** Returns memory for numbers of the grid's type, the same for the same name. */
    Data numbers(String name, long count) {
        requireOpen(name);
        return numbers.computeIfAbsent(
                name + " (" + count + ')', any -> session.data().vector(name, grid.type(), count));
    }

    GridField lend(Centring centring) {
        GridField field =
                free.computeIfAbsent(centring, any -> new ArrayDeque<>()).poll();
        GridField its = field == null ? make("temporary " + made.size(), centring) : field;
        lent.add(its);
        return its;
    }

    void takeBack(GridField field) {
        Objects.requireNonNull(field, "field");
        if (!lent.remove(field)) {
            throw new IllegalArgumentException("field \"" + field.name() + "\" is not lent by this store now");
        }
        free.computeIfAbsent(field.centring(), any -> new ArrayDeque<>()).push(field);
    }

    private Data memory(String name, Set<Centring> centrings) {
        requireOpen(name);
        Data data = session.data().of(name, grid.layout(centrings, made.size()));
        made.add(data);
        return data;
    }

    /**
     * Returns a field in memory of the user's.
     *
     * @param strides elements from one point to the next along each axis, x first; none for points without gaps
     */
    GridField external(String name, Centring centring, MemorySegment memory, long... strides) {
        requireOpen(name);
        int dimensions = grid.dimensions();
        long[] extents = grid.layout(centring, 0).box().extents();
        String what = "field \"" + name + "\" of " + grid;
        Object array = memory.heapBase().orElse(null);
        boolean isOwn = grid.type() == DataType.FLOAT32 ? array instanceof float[] : array instanceof double[];
        if (array != null && !isOwn && !(array instanceof byte[])) {
            throw new IllegalArgumentException(
                    what + ", cannot lie in a " + array.getClass().getSimpleName());
        }
        if (memory.isNative() && !memory.isAccessibleBy(other())) {
            throw new IllegalArgumentException(
                    what + ", cannot lie in memory of a confined arena, which one thread alone"
                            + " may access: take Arena.ofShared, Arena.ofAuto or an array");
        }
        if (strides.length > 0 && (strides.length != dimensions || strides[0] != 1)) {
            throw new IllegalArgumentException(what + ", has " + dimensions + " strides, x first, of which that along"
                    + " x is 1, not " + Arrays.toString(strides) + ": copy the values to where points along x lie"
                    + " next to each other");
        }
        Layout layout;
        if (strides.length == 0) {
            layout = Layout.of(grid.type(), extents);
        } else {
            long[] slowestFirst = new long[dimensions];
            Arrays.setAll(slowestFirst, i -> strides[dimensions - 1 - i]);
            try {
                layout = Layout.strided(grid.type(), extents, slowestFirst);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        what + ", overlaps itself with strides of "
                                + Arrays.toString(strides) + " elements along x, y and z, or has planes within each"
                                + " other: a row has " + extents[dimensions - 1]
                                + " points with its ghosts, and each plane follows all rows of the one before",
                        e);
            }
        }
        if (memory.byteSize() < layout.bytes()) {
            throw new IllegalArgumentException(what + ", needs " + layout.bytes() + " bytes with its ghosts, and its"
                    + " memory has " + memory.byteSize());
        }
        UserMemory.Part part = external.apart(name, layout, memory);
        Data data = session.data().home(name, layout, memory);
        external.add(data, part);
        made.add(data);
        return new GridField(name, grid, centring, data);
    }

    /** Returns a field in data of the user's. */
    GridField external(String name, Centring centring, Data data) {
        requireOpen(name);
        Layout layout = data.layout();
        String what = "field \"" + name + "\" of " + grid + ", cannot be in data \"" + data.name() + "\", which ";
        if (data.owner() != session) {
            throw new IllegalArgumentException(what + "belongs to another session");
        }
        if (data.isFreed()) {
            throw new IllegalArgumentException(what + "was freed");
        }
        Layout its = grid.layout(centring, 0);
        if (layout.type() != grid.type() || !layout.box().equals(its.box())) {
            throw new IllegalArgumentException(
                    what + "has " + text(layout) + ": the field has " + text(its) + " with its ghosts, x last");
        }
        if (layout.isAligned() && !isLike(layout, its)) {
            throw new IllegalArgumentException(what + "is aligned for rows with other ghosts: make it with"
                    + " grid.layout(...), or with Layout.aligned and " + grid.ghostLayers(0) + " ghosts");
        }
        users.removeIf(Data::isFreed);
        if (made.contains(data) || users.contains(data)) {
            throw new IllegalArgumentException(
                    what + "is another field's already: call that by a second name, with FieldStore.alias");
        }
        if (data.home() != null) {
            external.add(data, external.apart(name, layout, data.home()));
        }
        users.add(data);
        return new GridField(name, grid, centring, data);
    }

    private static String text(Layout layout) {
        String extents =
                LongStream.of(layout.box().extents()).mapToObj(Long::toString).collect(Collectors.joining("x"));
        return extents + " elements of " + layout.type();
    }

    /** Returns true if a field is in memory or data of the user's. */
    boolean isExternal(Data data) {
        return data.home() != null || users.contains(data);
    }

    /** Returns true if the interior of rows begins on boundaries as well, with the same room for it. */
    private static boolean isLike(Layout layout, Layout other) {
        int vector = Layout.ALIGNMENT / other.type().bytes();
        boolean sameRows = layout.dimensions() == 1
                || layout.stride(layout.dimensions() - 2) >= other.stride(other.dimensions() - 2);
        return sameRows && layout.lead() % vector == other.lead() % vector;
    }

    /** Returns a thread that no user has, and which does nothing. */
    private Thread other() {
        return session.executor().dedicated("jacquard-memory", () -> {});
    }

    private void requireOpen(String name) {
        if (closed) {
            throw new IllegalStateException("field \"" + name + "\" was asked for after its store was closed");
        }
    }

    /** Gives back all memory. */
    void close() {
        closed = true;
        made.forEach(session.data()::free);
        numbers.values().forEach(session.data()::free);
        made.clear();
        numbers.clear();
        external.clear();
        users.clear();
        recorded.clear();
        live.clear();
        free.clear();
        lent.clear();
    }
}

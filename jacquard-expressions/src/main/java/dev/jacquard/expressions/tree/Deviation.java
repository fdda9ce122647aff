package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.KernelLoop;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource.Language;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The greatest distance of a field from a combination of others, and the field's greatest magnitude, found while the
 * field is computed: a tree that {@link #watch} returns finds them in the loops of the field. Ghosts do not count.
 *
 * <p>Both are the same bits on any number of workers and on any device: the 32 most significant bits of the exact
 * maximum, the others are 0. A value that is no number makes the maximum no number.
 *
 * <p>Threads: any, one at a time; the tasks that compute the field write it, too.
 */
public final class Deviation {
    /** The parts of a field that one task computes. */
    private enum Part {
        WHOLE,
        LOWER_SLAB,
        UPPER_SLAB;

        static Part of(@Nullable Slab slab) {
            return slab == null ? WHOLE : slab.isFirst() ? LOWER_SLAB : UPPER_SLAB;
        }
    }

    /** The maxima of a part of a component. */
    private record Place(int axis, Part part) {}

    private static final AtomicLong COUNT = new AtomicLong();
    /** The distance, and the magnitude. */
    static final int MAXIMA = 2;

    private final Session session;
    private final FieldPool pool;
    private final DataType type;
    private final String name = "deviation " + COUNT.incrementAndGet();
    /** The memory of each part. Written by the threads that submit tasks, and that begin them. */
    private final Map<Place, Data> parts = new ConcurrentHashMap<>();
    /** The parts of which a task began since {@link #clear}. Written by the threads that begin tasks. */
    private final Set<Place> begun = ConcurrentHashMap.newKeySet();
    /** Written by the thread that clears, and then runs the tasks that read it. */
    private volatile boolean wantsMagnitude;

    private Deviation(FieldStore fields) {
        this.session = fields.session();
        this.pool = fields.pool();
        this.type = fields.grid().type();
    }

    /** Returns one for a field of a store. Its memory is given back with that of the store. */
    public static Deviation in(FieldStore fields) {
        return new Deviation(fields);
    }

    /**
     * Returns the tree that also finds how far a field is from {@code a · first + b · second}, when the field is
     * computed.
     *
     * @param tag a formula of the tree, which is stored
     * @param first a field in the same place that the tree reads
     * @param a a power of 2
     * @param second another one
     * @param b a power of 2 with any sign, or 0
     * @throws IllegalArgumentException if the tree computes no such field
     */
    public <L extends Location> ExpressionTree watch(
            ExpressionTree tree, Tag<L> tag, Tag<L> first, double a, Tag<L> second, double b) {
        TreeOptions.requireKnown(tree.definitions.keySet(), tag, "watch");
        Map<Tag<?>, Watch> watches = new LinkedHashMap<>(tree.options.watches());
        watches.put(tag, new Watch(first, a, second, b, this));
        return new ExpressionTree(tree.grid(), tree.definitions, tree.roots, tree.options.watch(watches));
    }

    /**
     * Returns the memory of the maxima of a part.
     *
     * @param slab null for the whole field
     */
    Data data(int axis, @Nullable Slab slab) {
        return parts.computeIfAbsent(
                new Place(axis, Part.of(slab)), part -> pool.numbers(name + " of " + part, MAXIMA));
    }

    /** Notes that a task computes a part. */
    void begin(int axis, @Nullable Slab slab) {
        begun.add(new Place(axis, Part.of(slab)));
    }

    /** Returns true if the magnitude is wanted, too. */
    boolean wantsMagnitude() {
        return wantsMagnitude;
    }

    /** Tells a stream to set the maxima of a part to 0. */
    static void clear(DeviceStream stream, Language language, DeviceBuffer maxima, DataType type) {
        BodyBuilder zero = new BodyBuilder(type);
        LoopBody body = zero.build(0, List.of(zero.constant(0)));
        Binding.Place place = new Binding.Place(MemorySegment.NULL, 0, 0, 0);
        KernelLoop.of(body, language, 0)
                .launch(stream, List.of(maxima), List.of(place), new double[0], new Range(0, MAXIMA, 0, 1, 0, 1));
    }

    /**
     * Forgets the maxima, before the field is computed again.
     *
     * @param withMagnitude true to find the magnitude, too, which takes a little longer
     */
    public void clear(boolean withMagnitude) {
        begun.clear();
        wantsMagnitude = withMagnitude;
    }

    /** Returns the greatest distance since the last {@link #clear}; 0 if the field was not computed. */
    public double distance() {
        return most(0);
    }

    /**
     * Returns the greatest magnitude since the last {@link #clear}, which asked for it; 0 if the field was not
     * computed.
     */
    public double magnitude() {
        return most(1);
    }

    private double most(int number) {
        double most = 0;
        for (Place place : begun) {
            boolean isOld = place.part != Part.WHOLE && begun.contains(new Place(place.axis, Part.WHOLE));
            if (!isOld) { // the slabs belong to a device that was lost
                try (UserView view = session.data().open(Objects.requireNonNull(parts.get(place)), Mode.READ)) {
                    most = Math.max(most, get(view.memory(), number));
                }
            }
        }
        return most;
    }

    private double get(Memory memory, int number) {
        return type == DataType.FLOAT32 ? memory.getFloat(number) : memory.getDouble(number);
    }

    /** Writes the maxima of a part: the bits of numbers that are not below 0. */
    static void put(Memory memory, DataType type, long distance, long magnitude) {
        long[] all = {distance, magnitude};
        for (int i = 0; i < MAXIMA; i++) {
            if (type == DataType.FLOAT32) {
                memory.setFloat(i, Float.intBitsToFloat((int) all[i]));
            } else {
                memory.setDouble(i, Double.longBitsToDouble(all[i] & 0xFFFF_FFFF_0000_0000L));
            }
        }
    }
}

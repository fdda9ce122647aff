package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.language.Tag;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The memory that a tree takes, known before it runs: which fields have memory of their own, and which temporaries
 * share some, since no expression is left that reads the one when the other is computed. Immutable.
 *
 * <p>Threads: any.
 *
 * <p>Source: the expressions thesis, section 3.1.11 (memory resources).
 */
public final class MemoryPlan {
    private final Policy policy;
    private final List<Computation> steps;
    /** The memories that each temporary is in, one for each component. */
    private final Map<Tag<?>, List<Integer>> places = new LinkedHashMap<>();

    private final Set<Centring> centrings;
    private final int shared;
    private final Set<Tag<?>> persistent;
    private final int persistentFields;
    private final long persistentBytes;
    private final int temporaryFields;
    private final long temporaryBytes;
    private final long staticTemporaryBytes;

    /**
     * @param stored the computations, operands first
     * @param kept the fields that have their own memory in any case
     */
    MemoryPlan(Grid grid, Policy policy, List<Computation> stored, Collection<Tag<?>> kept) {
        this.policy = policy;
        Set<Tag<?>> persistent = new LinkedHashSet<>();
        stored.forEach(one -> persistent.addAll(one.computes()));
        Set<Tag<?>> temporaries = new LinkedHashSet<>(persistent);
        temporaries.removeAll(kept);
        stored.forEach(one -> persistent.addAll(one.reads()));
        persistent.removeAll(temporaries);
        this.persistent = persistent;
        this.persistentFields = fields(grid, persistent);
        this.persistentBytes = bytes(grid, persistent);
        this.temporaryFields = fields(grid, temporaries);
        this.staticTemporaryBytes = bytes(grid, temporaries);
        this.centrings = centrings(grid, temporaries);
        if (policy == Policy.DYNAMIC && !temporaries.isEmpty()) {
            this.steps = leastPeak(grid, stored, temporaries);
            this.shared = share(grid, temporaries);
            this.temporaryBytes = shared * grid.layout(centrings, 0).bytes();
        } else {
            this.steps = List.copyOf(stored);
            this.shared = 0;
            this.temporaryBytes = staticTemporaryBytes;
        }
    }

    /** Several fields of one computation count as one, which lives until the last reader of any is computed. */
    private static List<Computation> leastPeak(Grid grid, List<Computation> stored, Set<Tag<?>> temporaries) {
        Map<Tag<?>, Integer> numbers = new HashMap<>();
        int[] sizes = new int[stored.size()];
        List<BitSet> reads = new ArrayList<>();
        for (Computation one : stored) {
            BitSet its = new BitSet();
            for (Tag<?> read : one.reads()) {
                Integer number = numbers.get(read);
                if (number != null) {
                    its.set(number);
                }
            }
            for (Tag<?> tag : one.computes()) {
                sizes[reads.size()] += temporaries.contains(tag) ? tag.components(grid) : 0;
                numbers.put(tag, reads.size());
            }
            reads.add(its);
        }
        return LeastPeak.order(sizes, reads).stream().map(stored::get).toList();
    }

    /** Gives memories to the temporaries, the lowest that is free first; returns how many there are. */
    private int share(Grid grid, Set<Tag<?>> temporaries) {
        Map<Tag<?>, Computation> lastReaders = new HashMap<>();
        steps.forEach(one -> one.reads().forEach(read -> lastReaders.put(read, one)));
        PriorityQueue<Integer> free = new PriorityQueue<>();
        int count = 0;
        for (Computation one : steps) {
            for (Tag<?> tag : one.computes()) {
                if (temporaries.contains(tag)) {
                    List<Integer> its = new ArrayList<>();
                    for (int i = 0; i < tag.components(grid); i++) {
                        its.add(free.isEmpty() ? count++ : free.remove());
                    }
                    places.put(tag, its);
                }
            }
            for (Tag<?> read : one.reads()) {
                if (one.equals(lastReaders.get(read))) {
                    free.addAll(places.getOrDefault(read, List.of()));
                }
            }
            for (Tag<?> tag : one.computes()) {
                if (!lastReaders.containsKey(tag)) { // one of several fields, and the only one that nothing needs
                    free.addAll(places.getOrDefault(tag, List.of()));
                }
            }
        }
        return count;
    }

    private static int fields(Grid grid, Set<Tag<?>> tags) {
        return tags.stream().mapToInt(tag -> tag.components(grid)).sum();
    }

    /** Returns the bytes of fields that each have memory of their own. */
    public static long bytes(Grid grid, Set<Tag<?>> tags) {
        long bytes = 0;
        for (Tag<?> tag : tags) {
            for (int axis = 0; axis < tag.components(grid); axis++) {
                bytes += grid.layout(tag.centring(axis), 0).bytes();
            }
        }
        return bytes;
    }

    private static Set<Centring> centrings(Grid grid, Set<Tag<?>> tags) {
        Set<Centring> all = EnumSet.noneOf(Centring.class);
        for (Tag<?> tag : tags) {
            for (int axis = 0; axis < tag.components(grid); axis++) {
                all.add(tag.centring(axis));
            }
        }
        return all;
    }

    /** Returns the fields that are computed, in the order in which they are submitted. */
    public List<Tag<?>> order() {
        return steps.stream().<Tag<?>>flatMap(one -> one.computes().stream()).toList();
    }

    /** Returns the computations, in the order in which they are submitted. */
    List<Computation> steps() {
        return steps;
    }

    /** Returns the memories in which the components of a temporary are; none for a field with its own memory. */
    List<Integer> places(Tag<?> tag) {
        return places.getOrDefault(tag, List.of());
    }

    /** Returns the memory in which a component of a temporary is; -1 for a field with its own memory. */
    int place(Tag<?> tag, int axis) {
        List<Integer> its = places.get(tag);
        return its == null ? -1 : its.get(tag.isVector() ? axis : 0);
    }

    /** Returns the centrings of all temporaries, for each of which shared memory has room. */
    Set<Centring> centrings() {
        return centrings;
    }

    /** Returns the fields that stay: sources, and fields that are wanted or kept. */
    public Set<Tag<?>> persistent() {
        return Collections.unmodifiableSet(persistent);
    }

    /** Returns their number; vectors count as many as they have components. */
    public int persistentFields() {
        return persistentFields;
    }

    /** Returns the bytes of the fields that stay. */
    public long persistentBytes() {
        return persistentBytes;
    }

    /** Returns the number of fields that are computed and do not stay. */
    public int temporaryFields() {
        return temporaryFields;
    }

    /** Returns the bytes that the temporaries take. */
    public long temporaryBytes() {
        return temporaryBytes;
    }

    /** Returns the bytes that the temporaries would take if each had its own memory. */
    public long staticTemporaryBytes() {
        return staticTemporaryBytes;
    }

    /** Returns the bytes of all fields. */
    public long bytes() {
        return persistentBytes + temporaryBytes;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d %s that stay, %.1f MB; %d %s%s, %.1f MB%s",
                persistentFields,
                persistentFields == 1 ? "field" : "fields",
                persistentBytes / 1e6,
                temporaryFields,
                temporaryFields == 1 ? "temporary" : "temporaries",
                shared == 0 ? "" : " in " + shared,
                temporaryBytes / 1e6,
                policy == Policy.DYNAMIC && shared > 0
                        ? String.format(Locale.ROOT, " instead of %.1f MB", staticTemporaryBytes / 1e6)
                        : "");
    }

    /**
     * The rules by which a tree gives memory to the fields that it computes and that are not wanted themselves, the
     * temporaries.
     */
    public enum Policy {
        /** Temporaries share memory as soon as the last expression that reads one is computed: the default. */
        DYNAMIC,
        /** Each temporary has its own memory, and its values stay until the next run. */
        STATIC,
        /** Nothing is fused, and all expressions are stored in memory of their own: to look at everything. */
        KEEP
    }
}

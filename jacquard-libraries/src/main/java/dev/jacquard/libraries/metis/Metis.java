package dev.jacquard.libraries.metis;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jacquard.cluster.partition.Partitioner;
import dev.jacquard.cluster.partition.WeightedGraph;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;

/**
 * METIS as a partitioner, by one of its two ways. Both are asked, as each is better for some graphs: bisection of
 * bisections below some 30 vertices a part, where the direct way cuts more and leaves parts empty, and mostly the
 * direct way above.
 *
 * <p>METIS draws from the random numbers of the C library, which the process has one generator of. So one thread calls
 * it at a time, and each call sets the seed. During a call, which takes some milliseconds, METIS handles
 * {@code SIGABRT} and {@code SIGTERM}; it restores the handlers before it returns.
 */
abstract sealed class Metis implements Partitioner {
    private static final Object LOCK = new Object();
    /** {@code METIS_OK}. */
    private static final int OK = 1;
    /** The place of {@code METIS_OPTION_SEED}, which later versions use for the number of tries: 1 suits both. */
    private static final int SEED = 8;

    private final String name;
    private final Function<MetisLibrary, MetisLibrary.PartGraph> way;

    private Metis(String name, Function<MetisLibrary, MetisLibrary.PartGraph> way) {
        this.name = name;
        this.way = way;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Optional<String> absence() {
        return MetisLibrary.found().absence();
    }

    @Override
    public final Optional<int[]> partition(WeightedGraph graph, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("a graph cannot be cut into " + parts + " parts; expected 1 or more");
        }
        MetisLibrary library = MetisLibrary.found().thing();
        if (library == null) {
            throw new IllegalStateException(
                    "the partitioner '" + name + "' is absent: " + absence().orElseThrow());
        }
        return isSuited(graph, parts) ? Optional.of(call(library, CompressedGraph.of(graph), parts)) : Optional.empty();
    }

    /**
     * Returns true unless the graph is trivial or has a vertex heavier than an even share: METIS then runs out of
     * vertices for the other parts, prints warnings to the standard output of the process, and leaves parts empty.
     */
    private static boolean isSuited(WeightedGraph graph, int parts) {
        if (parts < 2 || parts >= graph.vertices() || graph.edges() == 0) {
            return false;
        }
        long share = graph.totalWeight() / parts;
        for (int vertex = 0; vertex < graph.vertices(); vertex++) {
            if (graph.weight(vertex) > share) {
                return false;
            }
        }
        return true;
    }

    private int[] call(MetisLibrary library, CompressedGraph graph, int parts) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment options = arena.allocate(JAVA_INT, MetisLibrary.OPTIONS);
            MemorySegment offsets = arena.allocateFrom(JAVA_INT, graph.offsets());
            MemorySegment neighbours = arena.allocateFrom(JAVA_INT, graph.neighbours());
            MemorySegment weights = arena.allocateFrom(JAVA_INT, graph.weights());
            MemorySegment edgeWeights = arena.allocateFrom(JAVA_INT, graph.edgeWeights());
            MemorySegment cut = arena.allocate(JAVA_INT);
            MemorySegment part = arena.allocate(JAVA_INT, graph.weights().length);
            int status;
            synchronized (LOCK) {
                library.functions.defaults(options);
                options.setAtIndex(JAVA_INT, SEED, 1);
                status = way.apply(library)
                        .call(
                                arena.allocateFrom(JAVA_INT, graph.weights().length),
                                arena.allocateFrom(JAVA_INT, 1),
                                offsets,
                                neighbours,
                                weights,
                                MemorySegment.NULL,
                                edgeWeights,
                                arena.allocateFrom(JAVA_INT, parts),
                                MemorySegment.NULL,
                                MemorySegment.NULL,
                                options,
                                cut,
                                part);
            }
            if (status != OK) {
                throw new IllegalStateException(
                        "METIS cannot cut a graph of " + graph.weights().length + " vertices into " + parts
                                + " parts by '" + name + "': status " + status + ", " + reason(status));
            }
            return part.toArray(JAVA_INT);
        }
    }

    private static String reason(int status) {
        return switch (status) {
            case -2 -> "wrong input";
            case -3 -> "not enough memory";
            default -> "no reason is given";
        };
    }

    /** Bisection of bisections. */
    public static final class Recursive extends Metis {
        /** For {@link java.util.ServiceLoader}. */
        public Recursive() {
            super("metis-recursive", MetisLibrary::recursive);
        }
    }

    /** All parts at once. */
    public static final class KWay extends Metis {
        /** For {@link java.util.ServiceLoader}. */
        public KWay() {
            super("metis-kway", MetisLibrary::kWay);
        }
    }
}

package dev.jacquard.core.compiled;

import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The reasons of the edges that were inferred, for snapshots; all other edges were said. Confined to the builder. */
final class EdgeReasons {
    /** The reasons, by edge; two tasks may be joined for several. */
    private final Map<Long, List<Reason>> reasons = new HashMap<>();

    private record Reason(Kind kind, String label) {}

    private static final List<Reason> SAID = List.of(new Reason(Kind.EXPLICIT, ""));

    private static long key(int earlier, int later) {
        return (long) earlier << Integer.SIZE | later;
    }

    void add(int earlier, int later, Kind kind, String label) {
        List<Reason> its = reasons.computeIfAbsent(key(earlier, later), any -> new ArrayList<>(1));
        Reason reason = new Reason(kind, label);
        if (!its.contains(reason)) {
            its.add(reason);
        }
    }

    /** Adds an edge to a snapshot, with the numbers that the tasks have there. */
    void tell(int earlier, int later, long from, long to, GraphSnapshot.Builder snapshot) {
        for (Reason reason : reasons.getOrDefault(key(earlier, later), SAID)) {
            snapshot.edge(from, to, reason.kind, reason.label);
        }
    }
}

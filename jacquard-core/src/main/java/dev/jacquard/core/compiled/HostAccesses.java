package dev.jacquard.core.compiled;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Area;
import dev.jacquard.core.data.Box;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.graph.Parts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all tasks of a graph together access of data: the largest parts that any of them does, each once. Confined to the builder.
 *
 * <p>Parts, and not whole data, since others may be at work on the rest meanwhile.
 */
final class HostAccesses {
    private final Map<Data, List<Part>> parts = new LinkedHashMap<>();

    /** One part: it need not be there when what comes first overwrites all of it. */
    private record Part(Box box, boolean reads, boolean writes) {
        Access access() {
            Area area = Parts.area(box);
            return !writes ? Access.read(area) : reads ? Access.write(area) : Access.overwrite(area);
        }
    }

    /**
     * The next task, by number.
     *
     * @param accesses resource and access in turn
     * @param maySkip whether there are runs in which it does nothing
     */
    void add(Object[] accesses, boolean maySkip) {
        for (int i = 0; i < accesses.length; i += 2) {
            if (accesses[i] instanceof Data data && accesses[i + 1] instanceof Access access) {
                boolean reads = access.reads() || (access.writes() && maySkip);
                Part part = new Part(Parts.box(data, access), reads, access.writes());
                add(parts.computeIfAbsent(data, any -> new ArrayList<>()), part);
            }
        }
    }

    private static void add(List<Part> known, Part part) {
        Box largest = part.box;
        boolean reads = part.reads;
        boolean writes = part.writes;
        for (int i = known.size() - 1; i >= 0; i--) {
            Part other = known.get(i);
            if (other.box.contains(part.box)) {
                // It came before, so what it overwrote is there.
                known.set(i, new Part(other.box, other.reads, other.writes || part.writes));
                return;
            }
            if (part.box.contains(other.box)) {
                reads |= other.reads;
                writes |= other.writes;
                known.remove(i);
            } else if (part.box.intersects(other.box)) {
                reads = true; // who came first is not asked
                known.set(i, new Part(other.box, true, other.writes));
            }
        }
        known.add(new Part(largest, reads, writes));
    }

    /**
     * All parts: resource and access in turn. Null when parts overlap that can lie in different memory; what has a home lies there.
     */
    Object @Nullable [] all() {
        List<Object> all = new ArrayList<>();
        for (Map.Entry<Data, List<Part>> one : parts.entrySet()) {
            List<Part> its = one.getValue();
            if (one.getKey().home() == null && overlap(its)) {
                return null;
            }
            for (Part part : its) {
                all.add(one.getKey());
                all.add(part.access());
            }
        }
        return all.toArray();
    }

    private static boolean overlap(List<Part> parts) {
        for (int i = 0; i < parts.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (parts.get(i).box.intersects(parts.get(j).box)) {
                    return true;
                }
            }
        }
        return false;
    }
}

package dev.jacquard.core.compiled;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.residency.Parts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The data accesses of all tasks of a graph, merged for one claim: the largest parts, each once. Confined to the
 * builder.
 *
 * <p>The claim takes parts and not whole data, since other tasks may use the rest concurrently. For the same reason a
 * part that is only read stays apart from the parts of it that are written, and a part that is only added to stays an
 * addition.
 */
final class HostAccesses {
    private final Map<Data, Parted> parted = new LinkedHashMap<>();

    /** The parts of one data. */
    private static final class Parted {
        final List<Part> written = new ArrayList<>();
        final List<Box> read = new ArrayList<>();
    }

    /**
     * A part that is written.
     *
     * @param kind a mode that writes
     */
    private record Part(Box box, Mode kind) {
        Access access() {
            return new AreaAccess(kind, Parts.area(box));
        }
    }

    /**
     * Adds the accesses of the next task, in the order of numbers.
     *
     * @param accesses the accesses that the task declares
     * @param maySkip true if there are runs in which the task does nothing
     */
    void add(AccessList accesses, boolean maySkip) {
        accesses.readsFirst().each((resource, access) -> {
            if (resource instanceof Data data) {
                Mode mode = mode(access);
                Parted its = parted.computeIfAbsent(data, any -> new Parted());
                Box box = Parts.box(data, access);
                if (access.writes()) {
                    write(its, new Part(box, mode == Mode.WRITE && maySkip ? Mode.UPDATE : mode));
                } else if (access.reads()) {
                    read(its, box);
                }
            }
        });
    }

    /** Returns the mode of a claim for the access. Accesses of user-defined kinds may write concurrently. */
    private static Mode mode(Access access) {
        if (Parts.isBuiltIn(access)) {
            return (Mode) access.whole();
        }
        return access.writes() ? Mode.ADD : access.reads() ? Mode.READ : Mode.NONE;
    }

    private static void read(Parted its, Box box) {
        // The output of an earlier task is there, or is claimed with its former contents.
        boolean known = its.written.stream().anyMatch(part -> part.box.contains(box))
                || its.read.stream().anyMatch(other -> other.contains(box));
        if (!known) {
            its.read.removeIf(box::contains);
            its.read.add(box);
        }
    }

    /**
     * Adds a part that is written. A claim that adds also serves tasks that write a part of it: such a task conflicts
     * with all others, so no other task adds there.
     */
    private static void write(Parted its, Part part) {
        if (its.written.stream().anyMatch(other -> other.box.contains(part.box))) {
            return;
        }
        if (part.kind.reads()) {
            its.read.removeIf(part.box::contains);
        }
        its.written.removeIf(other -> part.box.contains(other.box) && (part.kind.reads() || !other.kind.reads()));
        its.written.add(part);
    }

    /** Returns the accesses to all parts. */
    AccessList all() {
        AccessList.Builder all = AccessList.builder();
        parted.forEach((data, its) -> {
            its.written.forEach(part -> all.add(data, part.access()));
            its.read.forEach(box -> all.add(data, Access.read(Parts.area(box))));
        });
        return all.build();
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import dev.jacquard.memory.residency.Parts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks of accesses, and their refusals. For packages that build graphs. */
public final class Accesses {
    /** The number of accesses that a message names: a run of a large graph has hundreds. */
    private static final int NAMED = 8;

    private Accesses() {}

    /** Returns a text of {@code accesses} for a message: of many, the first ones and the number of the others. */
    public static String brief(AccessList accesses) {
        int more = accesses.size() - NAMED;
        if (more <= 0) {
            return accesses.toString();
        }
        AccessList first = AccessList.wrap(Arrays.copyOf(accesses.unwrap(), 2 * NAMED));
        return first + " and " + more + " more";
    }

    /**
     * Lets the body of {@code task} fail, since one of its accesses, a user's, breaks its laws: it threw {@code why}.
     */
    static void broken(TaskNode task, Throwable why) {
        task.replaceBody(context -> {
            throw new IllegalStateException("an access of task \"" + task.name() + "\" breaks its laws: " + why, why);
        });
    }

    /** Returns the exception for a body that touches {@code handle}, which its task has not declared. */
    static IllegalArgumentException undeclared(String task, Resource handle) {
        return new IllegalArgumentException("task \"" + task + "\" touches \"" + handle.name()
                + "\" without a declared access: declare it with reads, updates, writes or accesses");
    }

    /**
     * Requires that the memory of {@code data} has not been given back.
     *
     * @throws IllegalStateException if it has been given back
     */
    public static void requireThere(String task, Data data) {
        requireThere(task, data, null);
    }

    /**
     * Requires that the memory of {@code data} has not been given back.
     *
     * @param around the task that {@code task} is a part of: the data that it declares stays until it is over; null for
     *     none
     * @throws IllegalStateException if it has been given back
     */
    static void requireThere(String task, Data data, @Nullable TaskNode around) {
        if (data.isFreed() && (around == null || !around.declared().has(data))) {
            throw new IllegalStateException("task \"" + task + "\" accesses data \"" + data.name()
                    + "\", which was freed: free it after its last task, or make new data");
        }
    }

    /** Throws if the task is to write a resource in read-only memory of the user. */
    static void requireWritable(String task, AccessList accesses) {
        accesses.each((resource, access) -> {
            if (resource instanceof Data data) {
                requireWritable(task, data, access);
            }
        });
    }

    /**
     * Requires that the memory of {@code data} can be written, if the access writes.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public static void requireWritable(String task, Data data, Access access) {
        MemorySegment home = data.home();
        if (home != null && home.isReadOnly() && access.writes()) {
            throw new IllegalArgumentException("task \"" + task + "\" writes data \"" + data.name()
                    + "\", which lies in read-only memory of the user:"
                    + " let the task write a copy, or wrap writable memory");
        }
    }

    /**
     * Throws if data of {@code task} was freed since the task declared it. Freeing data first forbids access to it, and
     * then submits the last task that accesses it: so each task that would come after that last task sees here that the
     * data was freed. Under the lock of the scope.
     */
    static void requireThere(TaskNode task) {
        TaskRun run = task.taskRun();
        if (run != null && run.options.needsData) {
            AccessList declared = task.declared();
            for (int i = 0; i < declared.size(); i++) {
                if (declared.resource(i) instanceof Data data) {
                    requireThere(task.name(), data, task.scope().parent());
                }
            }
        }
    }

    /** Calls users' code of the task's accesses that may throw, before anything is registered. Under the lock. */
    static void probe(TaskNode task, Function<Resource, AccessTracker<Tracked>> trackers) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            Resource resource = declared.resource(i);
            Access access = declared.access(i);
            if (access instanceof AreaAccess there) {
                requireSameAreas(task, resource, there);
            }
            if (!isOurs(access)) {
                requireLawful(task, resource, access);
                if (!resource.isUnordered()) {
                    trackers.apply(resource).probe(access);
                }
            }
        }
        for (int i = 0; i < declared.size(); i++) {
            if (declared.access(i) instanceof AreaAccess there) {
                declared.resource(i)
                        .areas(there.area().dimensions(), there.area().isReal());
            }
        }
    }

    /** Returns true if all accesses are built in, so that their texts call no users' code. */
    static boolean areOurs(AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            if (!isOurs(accesses.access(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if the access is built in, so that its answers need not be checked. */
    private static boolean isOurs(Access access) {
        return access instanceof TagAccess || Parts.isBuiltIn(access);
    }

    /**
     * Throws if a reading access conflicts with readers. Readers are not asked about each other, so the conflict would
     * be ignored.
     */
    private static void requireLawful(TaskNode task, Resource resource, Access access) {
        if (access.writes()) {
            return;
        }
        Access other = access.conflictsWith(access) ? access : access.conflictsWith(Mode.READ) ? Mode.READ : null;
        if (other != null) {
            throw new IllegalArgumentException("task \"" + task.name() + "\" accesses \"" + resource.name() + "\" by "
                    + access
                    + ", which breaks a law of Access: two accesses of which neither writes never conflict, and "
                    + access + " conflicts with an earlier " + other
                    + "; let writes() answer true, or conflictsWith(...) false");
        }
    }

    private static void requireSameAreas(TaskNode task, Resource resource, AreaAccess there) {
        int known = resource.dimensions();
        if (known != 0 && resource.hasRealAreas() != there.area().isReal()) {
            throw new IllegalArgumentException("task \"" + task.name() + "\" accesses the area " + there.area()
                    + " of \"" + resource.name() + "\", which has "
                    + coordinates(there.area().isReal())
                    + "; the areas accessed before have " + coordinates(resource.hasRealAreas())
                    + ": make all areas of one resource with Area.of, or all with Area.ofReals");
        }
        if (known != 0 && known != there.area().dimensions()) {
            throw new IllegalArgumentException("task \"" + task.name() + "\" accesses the area " + there.area()
                    + " of \"" + resource.name() + "\", which has "
                    + there.area().dimensions()
                    + " dimensions; the areas accessed before have " + known);
        }
    }

    private static String coordinates(boolean real) {
        return real ? "real coordinates" : "integer coordinates";
    }
}

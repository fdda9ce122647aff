package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Questions about what tasks declare: arrays of a resource and an access in turn. For those who make graphs. Users'
 * accesses answer some of them, and may throw.
 */
public final class Accesses {
    private Accesses() {}

    static Resource resource(@Nullable Object[] accesses, int at) {
        return (Resource) Objects.requireNonNull(accesses[at]);
    }

    static Access access(@Nullable Object[] accesses, int at) {
        return (Access) Objects.requireNonNull(accesses[at + 1]);
    }

    /** Whether {@code resource}, or something that it is a part of, is among them. */
    public static boolean has(@Nullable Object[] accesses, Resource resource) {
        for (Resource whole = resource; whole != null; whole = whole.parent()) {
            for (int i = 0; i < accesses.length; i += 2) {
                if (accesses[i] == whole) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What to tell a body that touches what its task, of that name, has not declared. */
    static IllegalArgumentException undeclared(String task, Resource handle) {
        return new IllegalArgumentException("task \"" + task + "\" touches \"" + handle.name()
                + "\" without a declared access: declare it with reads, updates, writes or accesses");
    }

    /** For people. Never throws. */
    public static String text(@Nullable Object[] accesses) {
        StringBuilder text = new StringBuilder();
        try {
            for (int i = 0; i < accesses.length; i += 2) {
                text.append(i == 0 ? "" : ", ")
                        .append(accesses[i + 1])
                        .append(' ')
                        .append(accesses[i]);
            }
        } catch (Throwable e) { // of an access that users wrote: the task ends all the same
            text.append("[an access whose toString failed: ").append(e).append(']');
        }
        return text.toString();
    }

    /**
     * Which access is replaced when {@code task} gives up what is more than {@code to}: one that covers it, a writing
     * one if there is one.
     *
     * @throws IllegalArgumentException when none covers it
     */
    static int requireCovering(String task, @Nullable Object[] declared, Resource resource, Access to) {
        int found = -1;
        StringBuilder has = new StringBuilder();
        for (int i = 0; i < declared.length; i += 2) {
            if (declared[i] == resource) {
                Access known = access(declared, i);
                boolean better =
                        found < 0 || (known.writes() && !access(declared, found).writes());
                if (better && known.covers(to)) {
                    found = i;
                }
                has.append(has.isEmpty() ? "" : ", ").append(known);
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("task \"" + task + "\" cannot demote its access to \"" + resource
                    + "\" to " + to + ": "
                    + (has.isEmpty()
                            ? "it declared no access to it"
                            : "what it has is " + has + ", and an access can only be given up, never promoted"));
        }
        return found;
    }

    /** Whether a task with {@code later} accesses has to wait for one with {@code earlier} ones. */
    static boolean conflict(@Nullable Object[] later, @Nullable Object[] earlier) {
        for (int i = 0; i < later.length; i += 2) {
            for (int j = 0; j < earlier.length; j += 2) {
                if (conflict(resource(later, i), access(later, i), resource(earlier, j), access(earlier, j))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a task with {@code later} accesses reads what one with {@code earlier} ones writes. */
    static boolean read(@Nullable Object[] later, @Nullable Object[] earlier) {
        for (int i = 0; i < later.length; i += 2) {
            for (int j = 0; j < earlier.length; j += 2) {
                Access access = access(later, i);
                Access written = access(earlier, j);
                if (access.reads()
                        && written.writes()
                        && conflict(resource(later, i), access, resource(earlier, j), written)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether an access orders itself behind an earlier one. */
    static boolean conflict(Resource resource, Access access, Resource other, Access earlier) {
        if (resource == other) {
            return !resource.isUnordered() && access.conflictsWith(earlier);
        }
        boolean related = resource.isWithin(other) || other.isWithin(resource);
        return related && !resource.isUnordered() && access.whole().conflictsWith(earlier.whole());
    }

    /**
     * Throws if the memory of some data is given back.
     *
     * @throws IllegalStateException when it is
     */
    public static void requireThere(String task, Data data) {
        requireThere(task, data, null);
    }

    /**
     * Throws if the memory of some data is given back.
     *
     * @param around the task in whose inside the access is: what it has declared stays until it is over; null for none
     * @throws IllegalStateException when it is
     */
    static void requireThere(String task, Data data, @Nullable Task around) {
        if (data.isFreed() && (around == null || !has(around.declared(), data))) {
            throw new IllegalStateException("task \"" + task + "\" accesses data \"" + data.name()
                    + "\", whose memory was given back: free it behind its last task, or make new data");
        }
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Copier;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.residency.Parts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values that a task updates, as they were before its first try, so that a failed task can be tried again. Confined
 * to the worker that runs the task.
 *
 * <p>Source: the project's design, section 8.
 */
final class Retry {
    private final int most;
    /** The number of tries that have begun. */
    private int begun;
    /** The number of failed tries after which another may follow in the same place. */
    private int failed;

    private boolean ended;
    private @Nullable List<Kept<?>> kept;

    Retry(int most) {
        this.most = most;
    }

    /** A copy of the value of {@code handle}. */
    private record Kept<T>(Handle<T> handle, Copier<T> copier, T copy) {
        static <T> Kept<T> of(Handle<T> handle) {
            Copier<T> copier = Objects.requireNonNull(handle.copier());
            return new Kept<>(handle, copier, copier.copy(handle.value()));
        }

        void restore() {
            copier.restore(copy, handle.value());
        }
    }

    /** Throws unless everything that {@code task} updates can be restored. */
    static void requireRestorable(String task, AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            Resource resource = accesses.resource(i);
            Access access = accesses.access(i);
            boolean adds = access.whole() == Mode.ADD || access.whole() == Mode.MUL;
            boolean kept = resource instanceof Data && Parts.isBuiltIn(access) && !adds; // by the staging
            boolean free = access == Mode.WRITE && !isReadToo(accesses, i);
            if (!access.writes() || free || access instanceof TagAccess || kept) {
                continue;
            }
            String why = null;
            if (access != Mode.UPDATE && access != Mode.WRITE) {
                why = "only updates of a whole handle can be taken back, others may write beside or together with it";
            } else if (resource instanceof Handle<?> handle && handle.copier() == null) {
                why = "nobody knows how to copy it: wrap it with a Copier";
            }
            if (why != null) {
                throw new IllegalArgumentException(
                        "task \"" + task + "\" cannot be retried: of " + access + ' ' + resource + ", " + why);
            }
        }
    }

    /** Returns true if the task reads, by another access, some of the resource that it writes by access {@code i}. */
    private static boolean isReadToo(AccessList accesses, int i) {
        Resource written = accesses.resource(i);
        for (int j = 0; j < accesses.size(); j++) {
            Resource other = accesses.resource(j);
            if (j != i && other.isRelatedTo(written) && accesses.access(j).reads()) {
                return true;
            }
        }
        return false;
    }

    /** Counts a try that begins. Work that is left to do after the sub-tasks does not count as a try. */
    void begins() {
        if (!ended) {
            begun++;
        }
    }

    /** Copies the values that the task updates, before the body of the first try runs. */
    void prepare(AccessList accesses) {
        if (kept == null && !ended) {
            List<Kept<?>> all = new ArrayList<>();
            for (int i = 0; i < accesses.size(); i++) {
                boolean overwrites = accesses.access(i) == Mode.WRITE;
                boolean writesOver = accesses.access(i) == Mode.UPDATE || (overwrites && isReadToo(accesses, i));
                if (writesOver && accesses.resource(i) instanceof Handle<?> handle) {
                    all.add(Kept.of(handle));
                }
            }
            kept = all;
        }
    }

    /**
     * Returns true if another try follows a failed one; all values are then as they were before the first try. When
     * they cannot be restored, because the user's copier throws, no try follows, and {@code error} tells that too.
     */
    boolean again(Throwable error) {
        failed++;
        if (failed > most || ended || kept == null) {
            return false;
        }
        try {
            kept.forEach(Kept::restore);
            return true;
        } catch (Throwable e) {
            if (e != error) {
                error.addSuppressed(e);
            }
            return false;
        }
    }

    /**
     * Notes that the task's effects cannot be taken back any more: the task has given up an access, or comes to the
     * work left to do after its sub-tasks.
     */
    void end() {
        ended = true;
        kept = null;
    }

    /**
     * Returns the number of the try that has begun, from 1 on, if no other try can follow in the same place; else 0.
     */
    int lastTry() {
        return failed < most && !ended ? 0 : begun;
    }

    /** Returns the number of tries that have begun. */
    int tries() {
        return begun;
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Copier;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a task updates, as it was before its first try, so that a failed one can be tried again. Confined to whoever
 * runs the task.
 *
 * <p>Source: the project's design, section 8.
 */
final class Retry {
    private final int most;
    /** How many tries have begun. */
    private int begun;
    /** How many tries failed for which others may follow in the same place. */
    private int failed;

    private boolean ended;
    private @Nullable List<Kept<?>> kept;

    Retry(int most) {
        this.most = most;
    }

    /** What {@code handle} held. */
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
    static void requireRestorable(String task, @Nullable Object[] accesses) {
        for (int i = 0; i < accesses.length; i += 2) {
            Resource resource = Accesses.resource(accesses, i);
            Access access = Accesses.access(accesses, i);
            boolean adds = access.whole() == Mode.ADD || access.whole() == Mode.MUL;
            boolean kept = resource instanceof Data && !adds; // by who brings it
            boolean free = access == Mode.OVERWRITE && !isReadToo(accesses, i);
            if (!access.writes() || free || access instanceof TagAccess || kept) {
                continue;
            }
            String why = null;
            if (access != Mode.WRITE && access != Mode.OVERWRITE) {
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

    /** True if the task reads, by another access, some of the resource that it writes by access {@code i}. */
    private static boolean isReadToo(@Nullable Object[] accesses, int i) {
        Resource written = Accesses.resource(accesses, i);
        for (int j = 0; j < accesses.length; j += 2) {
            Resource other = Accesses.resource(accesses, j);
            boolean meet = other == written || other.isWithin(written) || written.isWithin(other);
            if (j != i && meet && Accesses.access(accesses, j).reads()) {
                return true;
            }
        }
        return false;
    }

    /** Counts a try that begins; what is left to do behind the sub-tasks is none. */
    void begins() {
        if (!ended) {
            begun++;
        }
    }

    /** Keeps what the task updates, before the body of the first try runs. */
    void prepare(@Nullable Object[] accesses) {
        if (kept == null && !ended) {
            List<Kept<?>> all = new ArrayList<>();
            for (int i = 0; i < accesses.length; i += 2) {
                boolean overwrites = accesses[i + 1] == Mode.OVERWRITE;
                boolean writesOver = accesses[i + 1] == Mode.WRITE || (overwrites && isReadToo(accesses, i));
                if (writesOver && accesses[i] instanceof Handle<?> handle) {
                    all.add(Kept.of(handle));
                }
            }
            kept = all;
        }
    }

    /**
     * A try failed: whether there is another, for which everything is as it was before the first. When it cannot be so,
     * because the user's copier throws, there is none, and {@code error} tells that too.
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
     * What the task has done cannot be taken back any more: it has given something up, or comes to what is left to do.
     */
    void end() {
        ended = true;
        kept = null;
    }

    /**
     * Returns the number of the try that has begun, from 1 on, if no other one can follow it in the same place; else 0.
     */
    int lastTry() {
        return failed < most && !ended ? 0 : begun;
    }

    /** How many tries have begun. */
    int tries() {
        return begun;
    }
}

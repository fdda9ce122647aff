package dev.jacquard.core.graph;

import dev.jacquard.base.failure.Suppressed;
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
 * The values that a task updates, as they were before its first try, so that a failed task can be tried again. Parts of
 * a whole are kept when the body gets them for the first time, since a part without a value is not kept with its whole.
 *
 * <p>Threads: the worker that runs the task; {@link #touches} any that its body uses, {@link #lastTry} the timers'.
 * Guarded by the object's monitor where these meet.
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
    /** In the order in which they were kept: a later one may be a part of an earlier one. */
    private @Nullable List<Kept<?>> kept;

    Retry(int most) {
        this.most = most;
    }

    /** A copy of the value of {@code handle}. */
    private record Kept<T>(Handle<T> handle, Copier<T> copier, T copy) {
        static <T> Kept<T> of(Handle<T> handle) {
            Copier<T> copier = Objects.requireNonNull(handle.copier());
            return new Kept<>(handle, copier, copier.copy(handle.granted()));
        }

        void restore() {
            copier.restore(copy, handle.granted());
        }

        boolean isOf(Handle<?> other) {
            return handle == other;
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
                why = "only updates of a whole handle can be taken back, others may write concurrently or with it";
            } else if (resource instanceof Handle<?> handle && handle.copier() == null) {
                why = "there is no copier for it: wrap it with a Copier";
            }
            if (why != null) {
                throw notRestorable(task, access, resource, why);
            }
        }
    }

    private static IllegalArgumentException notRestorable(String task, Access access, Resource resource, String why) {
        return new IllegalArgumentException(
                "task \"" + task + "\" cannot be retried: of " + access + ' ' + resource + ", " + why);
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
    synchronized void begins() {
        if (!ended || begun == 0) {
            begun++;
        }
    }

    /** Copies the values that the task updates, before the body of the first try runs. */
    synchronized void prepare(AccessList accesses) {
        if (kept == null && !ended) {
            List<Kept<?>> all = new ArrayList<>();
            for (int i = 0; i < accesses.size(); i++) {
                if (accesses.resource(i) instanceof Handle<?> handle && writesOver(accesses, i)) {
                    all.add(Kept.of(handle));
                }
            }
            kept = all;
        }
    }

    /**
     * Copies the value of {@code handle} before the body gets it for the first time, if it is a part of a whole that
     * {@code task} updates.
     *
     * @throws IllegalArgumentException when its contents cannot be restored
     */
    synchronized void touches(Handle<?> handle, String task, AccessList accesses) {
        if (kept == null || kept.stream().anyMatch(one -> one.isOf(handle))) {
            return;
        }
        for (int i = 0; i < accesses.size(); i++) {
            if (handle.isWithin(accesses.resource(i)) && writesOver(accesses, i)) {
                if (handle.copier() == null) {
                    throw notRestorable(
                            task,
                            accesses.access(i),
                            accesses.resource(i),
                            "there is no copier for its part \"" + handle.name()
                                    + "\": make that as a new Handle<>(…) with a Copier");
                }
                kept.add(Kept.of(handle));
                return;
            }
        }
    }

    /** Returns true if the task changes, by access {@code i}, values that it may have seen. */
    private static boolean writesOver(AccessList accesses, int i) {
        Access access = accesses.access(i);
        return access.writes() && (access.reads() || isReadToo(accesses, i));
    }

    /**
     * Returns true if another try follows a failed one; all values are then as they were before the first try. When
     * they cannot be restored, because the user's copier throws, no try follows, and {@code error} reports that too.
     */
    synchronized boolean again(Throwable error) {
        failed++;
        if (failed > most || ended || kept == null) {
            return false;
        }
        try {
            kept.reversed().forEach(Kept::restore);
            return true;
        } catch (Throwable e) {
            Suppressed.add(error, e);
            return false;
        }
    }

    /**
     * Notes that the task's effects cannot be taken back any more: the task has given up an access, or comes to the
     * work left to do after its sub-tasks.
     */
    synchronized void end() {
        ended = true;
        kept = null;
    }

    /**
     * Returns the number of the try that has begun, from 1 on, if no other try can follow in the same place; else 0.
     */
    synchronized int lastTry() {
        return failed < most && !ended ? 0 : begun;
    }

    /** Returns the number of tries that have begun. */
    int tries() {
        return begun;
    }
}

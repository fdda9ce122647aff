package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Mode;
import dev.jacquard.core.data.Contents;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.data.Resource;
import dev.jacquard.core.data.View;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A body in checking mode: while it runs, its thread is known to run its task, and what the task declared as read is compared with what it was
 * before. Only whole handles that are read and nothing else, and are no parts: others may write beside, or the same object.
 */
final class CheckedBody implements TaskBody {
    /** The body that the thread runs. Set and removed by that thread. */
    private static final ThreadLocal<@Nullable Running> CURRENT = new ThreadLocal<>();

    /**
     * A body that runs. Confined to its thread.
     *
     * @param unchanged what it only reads, and whether that still holds what it held
     */
    private record Running(Task task, Checking checking, Map<Resource, BooleanSupplier> unchanged) {}

    private final Checking checking;
    private final TaskBody body;

    CheckedBody(Checking checking, TaskBody body) {
        this.checking = checking;
        this.body = body;
    }

    /** The task of {@code domain} whose body the calling thread runs; null when it runs none. */
    static @Nullable Task current(Domain domain) {
        Running running = CURRENT.get();
        return running != null && running.task.scope().domain == domain ? running.task : null;
    }

    /** By the body's thread: {@code task} has less of {@code resource} from now on; others may change what it does not read any more. */
    static void demoted(Task task, Resource resource) {
        Running running = CURRENT.get();
        if (running != null && running.task == task) {
            running.unchanged.remove(resource);
            watchReads(task, running.checking, resource, running.unchanged);
        }
    }

    /** By the body's thread: throws unless {@code task} declared the handle, or a whole that it is a part of. */
    static void requireMayTouch(Task task, Handle<?> handle) {
        @Nullable Object[] declared = task.declared();
        boolean known = false;
        boolean reads = false;
        boolean writes = false;
        for (int i = 0; i < declared.length; i += 2) {
            if (declared[i] == handle || handle.isWithin(Accesses.resource(declared, i))) {
                known = true;
                reads |= Accesses.access(declared, i).reads();
                writes |= Accesses.access(declared, i).writes();
            }
        }
        if (!known) {
            throw Accesses.undeclared(task.name(), handle);
        }
        if (!reads && !writes) {
            throw new IllegalStateException("task \"" + task.name() + "\" touches \"" + handle.name()
                    + "\", which it has given up, or declared that it neither reads nor writes: others may be at it; demote it to"
                    + " what the body still needs");
        }
        Refinement inside = task.refinementNow();
        String subTask = !writes || inside == null ? null : inside.handedOnTo(handle);
        if (subTask != null) {
            throw new IllegalStateException("task \"" + task.name() + "\" touches \"" + handle.name()
                    + "\" after it has handed that on to its sub-task \"" + subTask
                    + "\": what is left to do belongs into ctx.afterwards");
        }
    }

    @Override
    public void run(TaskContext context) throws Exception {
        if (!(context instanceof Task task)) {
            body.run(context);
            return;
        }
        Map<Resource, BooleanSupplier> unchanged = new LinkedHashMap<>();
        watchReads(task, checking, null, unchanged);
        Running outer = CURRENT.get();
        CURRENT.set(new Running(task, checking, unchanged));
        try {
            body.run(context);
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
        unchanged.forEach((resource, still) -> {
            if (!still.getAsBoolean()) {
                throw new IllegalStateException("task \"" + task.name() + "\" changed \"" + resource.name()
                        + "\", which it declared as READ: declare it with updates or writes; if its body does not write, another "
                        + "one without a declared access did meanwhile");
            }
        });
    }

    /** Watches what the task only reads: of {@code resource}, or of all when that is null. */
    private static void watchReads(
            Task task, Checking checking, @Nullable Resource resource, Map<Resource, BooleanSupplier> watched) {
        @Nullable Object[] declared = task.declared();
        Extras extras = task.extras();
        boolean hasData = extras != null && extras.claim != null && !extras.asynchronous;
        for (int i = 0; i < declared.length; i += 2) {
            Access access = Accesses.access(declared, i);
            if (resource != null && declared[i] != resource) {
                continue;
            }
            if (declared[i] instanceof Handle<?> handle) {
                if (access == Mode.READ && handle.parent() == null && !writes(declared, handle)) {
                    watch(handle, checking.unchanged(handle), watched);
                }
            } else if (hasData && declared[i] instanceof Data data) {
                if (access.reads() && !access.writes() && !writes(declared, data)) {
                    Memory memory = task.memory(new View(data, Parts.box(data, access))); // where it runs: on the host
                    long before = Contents.hash(memory);
                    watch(data, () -> Contents.hash(memory) == before, watched);
                }
            }
        }
    }

    private static void watch(
            Resource resource, @Nullable BooleanSupplier still, Map<Resource, BooleanSupplier> watched) {
        if (still != null) {
            watched.merge(resource, still, (one, other) -> () -> one.getAsBoolean() && other.getAsBoolean());
        }
    }

    private static boolean writes(@Nullable Object[] declared, Resource handle) {
        for (int i = 0; i < declared.length; i += 2) {
            if ((declared[i] == handle || Accesses.resource(declared, i).isWithin(handle))
                    && Accesses.access(declared, i).writes()) {
                return true;
            }
        }
        return false;
    }
}

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
    /** The task whose body the thread runs. Set and removed by that thread. */
    private static final ThreadLocal<@Nullable Task> CURRENT = new ThreadLocal<>();

    private final Checking checking;
    private final TaskBody body;

    CheckedBody(Checking checking, TaskBody body) {
        this.checking = checking;
        this.body = body;
    }

    /** The task of {@code domain} whose body the calling thread runs; null when it runs none. */
    static @Nullable Task current(Domain domain) {
        Task task = CURRENT.get();
        return task != null && task.scope().domain == domain ? task : null;
    }

    /** By the body's thread: throws unless {@code task} declared the handle, or a whole that it is a part of. */
    static void requireMayTouch(Task task, Handle<?> handle) {
        @Nullable Object[] declared = task.declared();
        boolean known = false;
        boolean writes = false;
        for (int i = 0; i < declared.length; i += 2) {
            if (declared[i] == handle || handle.isWithin(Accesses.resource(declared, i))) {
                known = true;
                writes |= Accesses.access(declared, i).writes();
            }
        }
        if (!known) {
            throw Accesses.undeclared(task.name(), handle);
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
        Map<Resource, BooleanSupplier> unchanged = onlyRead(task);
        CURRENT.set(task);
        try {
            body.run(context);
        } finally {
            CURRENT.remove();
        }
        unchanged.forEach((resource, still) -> {
            if (!still.getAsBoolean()) {
                throw new IllegalStateException("task \"" + task.name() + "\" changed \"" + resource.name()
                        + "\", which it declared as READ: declare it with updates or writes; if its body does not write, another "
                        + "one without a declared access did meanwhile");
            }
        });
    }

    private Map<Resource, BooleanSupplier> onlyRead(Task task) {
        Map<Resource, BooleanSupplier> watched = new LinkedHashMap<>();
        @Nullable Object[] declared = task.declared();
        for (int i = 0; i < declared.length; i += 2) {
            if (Accesses.access(declared, i) == Mode.READ
                    && declared[i] instanceof Handle<?> handle
                    && handle.parent() == null
                    && !writes(declared, handle)) {
                BooleanSupplier still = checking.unchanged(handle);
                if (still != null) {
                    watched.put(handle, still);
                }
            }
        }
        Extras extras = task.extras();
        if (extras != null && extras.claim != null && !extras.asynchronous) {
            watchData(task, declared, watched);
        }
        return watched;
    }

    /** What is only read of data, where it runs: on the host. */
    private static void watchData(Task task, @Nullable Object[] declared, Map<Resource, BooleanSupplier> watched) {
        for (int i = 0; i < declared.length; i += 2) {
            Access access = Accesses.access(declared, i);
            if (declared[i] instanceof Data data && access.reads() && !access.writes() && !writes(declared, data)) {
                Memory memory = task.memory(new View(data, Parts.box(data, access)));
                long before = Contents.hash(memory);
                BooleanSupplier still = () -> Contents.hash(memory) == before;
                watched.merge(data, still, (one, other) -> () -> one.getAsBoolean() && other.getAsBoolean());
            }
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

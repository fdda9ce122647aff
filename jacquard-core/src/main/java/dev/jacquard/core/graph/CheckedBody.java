package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Contents;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Parts;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A body in checking mode. While it runs, its thread is known to run its task. After the body, the resources that the
 * task only reads are compared with what they held before. Of handles, only whole ones are compared: other tasks may
 * write beside a part, or to the same object.
 */
final class CheckedBody implements TaskBody {
    /** The body that the thread runs. Set and removed by that thread. */
    private static final ThreadLocal<@Nullable Running> CURRENT = new ThreadLocal<>();

    /** A body that runs. Confined to its thread. */
    private static final class Running {
        private final TaskNode task;
        private final Checking checking;
        /** The resources that the task only reads. */
        private final List<Read> reads;
        /** True while other nodes run on the thread, inside a call that the body made. */
        private boolean paused;

        Running(TaskNode task, Checking checking, List<Read> reads) {
            this.task = task;
            this.checking = checking;
            this.reads = reads;
        }
    }

    /**
     * A resource that is only read, as long as the task has that access.
     *
     * @param unchanged returns true if the resource still holds what it held when this record was made
     */
    private record Read(Resource resource, Access access, BooleanSupplier unchanged) {
        boolean is(Resource its, Access how) {
            return resource == its && access == how;
        }
    }

    private final Checking checking;
    private final TaskBody body;

    CheckedBody(Checking checking, TaskBody body) {
        this.checking = checking;
        this.body = body;
    }

    /** Returns the task whose body the calling thread runs; null if it runs none. */
    static @Nullable TaskNode current() {
        Running running = CURRENT.get();
        return running == null || running.paused ? null : running.task;
    }

    /**
     * Notes that other nodes run inside the body of {@code task}, or have returned: their accesses are not the task's.
     * By the body's thread.
     */
    static void pause(TaskNode task, boolean paused) {
        Running running = CURRENT.get();
        if (running != null && running.task == task) {
            running.paused = paused;
        }
    }

    /**
     * Notes that {@code task} has demoted its access to {@code resource}, perhaps to one that only reads. By the body's
     * thread.
     */
    static void demoted(TaskNode task, Resource resource) {
        Running running = CURRENT.get();
        if (running != null && running.task == task) {
            watchReads(task, running.checking, resource, running.reads);
        }
    }

    /** Throws unless {@code task} declared {@code handle}, or a whole that contains it. By the body's thread. */
    static void requireMayTouch(TaskNode task, Handle<?> handle) {
        AccessList declared = task.declared();
        boolean known = false;
        boolean reads = false;
        boolean writes = false;
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) == handle || handle.isWithin(declared.resource(i))) {
                known = true;
                reads |= declared.access(i).reads();
                writes |= declared.access(i).writes();
            }
        }
        Origin origin = Origin.of(handle);
        if (!known && (origin == null || !origin.isMadeBy(task))) {
            throw Accesses.undeclared(task.name(), handle);
        }
        if (known && !reads && !writes) {
            throw new IllegalStateException("task \"" + task.name() + "\" touches \"" + handle.name()
                    + "\", which it has given up, or declared that it neither reads nor writes: others may be at it;"
                    + " demote it to what the body still needs");
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
        if (!(context instanceof TaskNode task)) {
            body.run(context);
            return;
        }
        List<Read> reads = new ArrayList<>();
        watchReads(task, checking, null, reads);
        Running outer = CURRENT.get();
        CURRENT.set(new Running(task, checking, reads));
        try {
            body.run(context);
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
        for (Read read : reads) {
            if (!read.unchanged.getAsBoolean() && stillHas(task, read)) {
                throw new IllegalStateException("task \"" + task.name() + "\" changed \"" + read.resource.name()
                        + "\", which it declared as READ: declare it with updates or writes; if its body does not"
                        + " write, another one without a declared access did meanwhile");
            }
        }
    }

    /**
     * Returns true if the task still has the access, so that no other task could write. Asked after the contents were
     * compared: a write by another task that the comparison saw came after the access was taken.
     */
    private static boolean stillHas(TaskNode task, Read read) {
        VarHandle.loadLoadFence();
        return task.declared().has(read.resource, read.access);
    }

    /**
     * Begins to watch the resources that the task only reads: {@code resource}, or all of them if it is null. Other
     * threads may take accesses from an adjustable task meanwhile.
     */
    private static void watchReads(TaskNode task, Checking checking, @Nullable Resource resource, List<Read> reads) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            Resource its = declared.resource(i);
            Access access = declared.access(i);
            if ((resource == null || its == resource)
                    && reads.stream().noneMatch(known -> known.is(its, access))
                    && !writes(declared, its)) {
                BooleanSupplier unchanged = unchanged(task, checking, its, access);
                if (unchanged != null) {
                    reads.add(new Read(its, access, unchanged));
                }
            }
        }
    }

    private static @Nullable BooleanSupplier unchanged(
            TaskNode task, Checking checking, Resource resource, Access access) {
        if (resource instanceof Handle<?> handle) {
            return access == Mode.READ && handle.parent() == null ? checking.unchanged(handle) : null;
        }
        return resource instanceof Data data && access.reads() && Parts.isBuiltIn(access)
                ? unchanged(task, data, access)
                : null; // others may write other elements meanwhile
    }

    /**
     * Returns a test that data on the host still holds its present contents; null if they cannot be compared. A thread
     * that takes the access from an adjustable task does so under the monitor of the task's adjustment: under that
     * monitor the memory stays, and no other task writes to it. A task that refines itself gives the memory up to its
     * sub-tasks: it is not looked at any more.
     */
    private static @Nullable BooleanSupplier unchanged(TaskNode task, Data data, Access access) {
        TaskRun run = task.taskRun();
        DataClaim claim = run == null || run.options.asynchronous ? null : run.claim();
        if (run == null || claim == null || !claim.isOnHost()) {
            return null; // a body cannot touch data on a device
        }
        Object monitor = run.adjustment == null ? run : run.adjustment;
        synchronized (monitor) {
            if (!task.declared().has(data, access)) {
                return null;
            }
            Memory memory = task.memory(new View(data, Parts.box(data, access)));
            long before = Contents.hash(memory);
            return () -> {
                synchronized (monitor) {
                    return run.claim() != claim
                            || !task.declared().has(data, access)
                            || Contents.hash(memory) == before;
                }
            };
        }
    }

    private static boolean writes(AccessList declared, Resource handle) {
        for (int i = 0; i < declared.size(); i++) {
            if ((declared.resource(i) == handle || declared.resource(i).isWithin(handle))
                    && declared.access(i).writes()) {
                return true;
            }
        }
        return false;
    }
}

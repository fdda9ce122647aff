package dev.jacquard.core.graph;

import dev.jacquard.core.kernel.KernelBody;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A body in checking mode. While it runs, its thread is known to run its task. After the body, the resources that the
 * task only reads are compared with their former contents: of data also the parts that the task reads and does not
 * write, while it writes others. Of handles, only whole ones are compared: other tasks may write next to a part, or to
 * the same object.
 */
final class CheckedBody implements TaskBody {
    /** The body that the thread runs. Set and removed by that thread. */
    private static final ThreadLocal<@Nullable Running> CURRENT = new ThreadLocal<>();

    /** A body that runs. Confined to its thread. */
    private static final class Running {
        private final WatchedTask task;
        private final Checking checking;
        /** The resources, and the boxes of data, that the task only reads. */
        private final List<Read> reads;
        /** True while other nodes run on the thread, inside a call that the body made. */
        private boolean paused;

        Running(WatchedTask task, Checking checking, List<Read> reads) {
            this.task = task;
            this.checking = checking;
            this.reads = reads;
        }
    }

    /**
     * A resource that is only read, or a box of data, as long as the task has that access.
     *
     * @param box of data, the indices that are only read; null for other resources
     * @param what its name, for messages
     * @param demoted true if it is only read since the body demoted an access
     * @param unchanged returns true if the contents of the resource are the same as when this record was made
     */
    private record Read(
            Resource resource,
            Access access,
            @Nullable Box box,
            String what,
            boolean demoted,
            BooleanSupplier unchanged) {
        boolean is(Resource its, Access how) {
            return resource == its && access == how;
        }

        /** Returns the message for {@code task}, which changed it. */
        String changedBy(String task) {
            return "task \"" + task + "\" changed \"" + what
                    + (demoted
                            ? "\" after the task gave up writing it: write before the demotion"
                            : "\", which it declared as READ: declare it with updates or writes")
                    + "; if its body does not write, a concurrent body did without a declared access";
        }
    }

    private final Checking checking;
    private final TaskBody body;

    CheckedBody(Checking checking, TaskBody body) {
        this.checking = checking;
        this.body = body;
    }

    /** Returns the task of the body that the calling thread runs; null if it runs none. */
    static @Nullable WatchedTask current() {
        Running running = CURRENT.get();
        return running == null || running.paused ? null : running.task;
    }

    /**
     * Notes that other nodes run inside the body of {@code task}, or have returned: their accesses are not the task's.
     * By the body's thread.
     */
    static void pause(TaskNode task, boolean paused) {
        Running running = CURRENT.get();
        if (running != null && running.task.node() == task) {
            running.paused = paused;
        }
    }

    /**
     * Notes that {@code task} has demoted its access to {@code resource}, perhaps to one that only reads. By the body's
     * thread.
     */
    static void demoted(TaskNode task, Resource resource) {
        Running running = CURRENT.get();
        if (running != null && running.task.node() == task) {
            watchReads(running.task, running.checking, resource, running.reads);
        }
    }

    @Override
    public void run(TaskContext context) throws Exception {
        if (context instanceof TaskNode task) {
            watch(new WatchedTask.Live(task), checking, () -> body.run(context));
        } else {
            body.run(context); // of a compiled graph, which knows that its tasks are watched
        }
    }

    /**
     * Returns a body that watches {@code body}, which a compiled graph runs.
     *
     * @param accesses the accesses that its task declares
     * @param staged true if the task has the memory of its data
     */
    static KernelBody frozen(
            DependencyDomain domain, Checking how, KernelBody body, AccessList accesses, boolean staged) {
        if (body instanceof TaskBody its) { // so is the body that watches it: its task has another context
            return (TaskBody) context ->
                    watch(new WatchedTask.Frozen(domain, context, accesses, staged), how, () -> its.run(context));
        }
        return context ->
                watch(new WatchedTask.Frozen(domain, context, accesses, staged), how, () -> body.run(context));
    }

    /** Runs the body of a task. */
    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private static void watch(WatchedTask task, Checking checking, Work body) throws Exception {
        List<Read> reads = new ArrayList<>();
        watchReads(task, checking, null, reads);
        Running outer = CURRENT.get();
        CURRENT.set(new Running(task, checking, reads));
        try {
            body.run();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
        for (Read read : reads) {
            if (!read.unchanged.getAsBoolean() && stillHas(task, read)) {
                throw new IllegalStateException(read.changedBy(task.name()));
            }
        }
    }

    /**
     * Returns true if the task still has the access, so that no other task could write. Asked after the contents were
     * compared: a write by another task that the comparison saw came after the access was taken.
     */
    private static boolean stillHas(WatchedTask task, Read read) {
        VarHandle.loadLoadFence();
        return task.declared().has(read.resource, read.access);
    }

    /**
     * Begins to watch the read-only accesses of the task: to {@code resource}, or to all resources if it is null. Other
     * threads may take accesses from an adjustable task concurrently.
     */
    private static void watchReads(WatchedTask task, Checking checking, @Nullable Resource resource, List<Read> reads) {
        AccessList declared = task.declared();
        for (int i = 0; i < declared.size(); i++) {
            Resource its = declared.resource(i);
            Access access = declared.access(i);
            if (resource != null && its != resource) {
                continue;
            }
            if (its instanceof Data data) {
                watchData(task, declared, data, access, resource != null, reads);
            } else if (its instanceof Handle<?> handle
                    && access == Mode.READ
                    && handle.parent() == null
                    && reads.stream().noneMatch(known -> known.is(its, access))
                    && !writes(declared, its)) {
                BooleanSupplier unchanged = checking.unchanged(handle);
                if (unchanged != null) {
                    reads.add(new Read(its, access, null, its.name(), resource != null, unchanged));
                }
            }
        }
    }

    /** Begins to watch the elements that the task reads by {@code access} and does not write by another access. */
    private static void watchData(
            WatchedTask task, AccessList declared, Data data, Access access, boolean demoted, List<Read> reads) {
        if (!access.reads() || access.writes() || !Parts.isBuiltIn(access)) {
            return; // other tasks may write other elements concurrently
        }
        List<Box> rest = List.of(Parts.box(data, access));
        boolean beside = false;
        for (int i = 0; i < declared.size(); i++) {
            if (declared.resource(i) == data && declared.access(i).writes()) {
                if (!Parts.isBuiltIn(declared.access(i))) {
                    return; // it may write any element
                }
                rest = without(rest, Parts.box(data, declared.access(i)));
                beside = true;
            }
        }
        for (Read known : reads) {
            if (known.box != null && known.is(data, access)) {
                rest = without(rest, known.box);
            }
        }
        for (Box box : rest) {
            View its = new View(data, box);
            BooleanSupplier unchanged = task.unchanged(its, access);
            if (unchanged != null) {
                reads.add(new Read(data, access, box, beside ? its.toString() : data.name(), demoted, unchanged));
            }
        }
    }

    private static List<Box> without(List<Box> boxes, Box taken) {
        List<Box> rest = new ArrayList<>();
        for (Box box : boxes) {
            rest.addAll(box.without(taken));
        }
        return rest;
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

package dev.jacquard.core.graph;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Access that code outside of tasks has, from {@link TaskBuilder#open} to {@link #close}: a task like any other, whose
 * body is that code. It waits for the earlier tasks that conflict with it, later ones wait until it is closed, others
 * run; it holds no worker.
 *
 * <pre>{@code
 * try (UserView view = session.data().open(y, Mode.READ)) {
 *     plot(view.memory());                                  // the newest, on the host; tasks that write y wait
 * }
 * }</pre>
 *
 * <p>It belongs to the thread that opened it, which must not wait for tasks that wait for the view: it is told so where
 * that is known. Any thread may use and close it. What it gave out must not be used any more once it is closed.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3 (lock and unlock of data handlers).
 */
public final class UserView implements AutoCloseable {
    private final TaskNode task;
    private final List<View> parts;
    private final String site;
    private final Thread opener = Thread.currentThread();
    /** Completed once, by who closes the view, or does not want it any more. */
    private final CompletableFuture<@Nullable Void> end;

    /** Written by the worker that begins the task, before the opener goes on; nulled by who closes. */
    private volatile @Nullable TaskContext context;

    UserView(TaskNode task, List<View> parts, String site, CompletableFuture<@Nullable Void> end) {
        this.task = task;
        this.parts = parts;
        this.site = site;
        this.end = end;
    }

    /** By the worker that begins the task: everything is there. */
    void begins(TaskContext its) {
        context = its;
        if (end.isDone()) { // given up meanwhile
            context = null;
        }
    }

    /** Whether the opener can go on: the view is open, or never will be. */
    boolean isDecided() {
        return context != null || task.isOver();
    }

    TaskNode task() {
        return task;
    }

    Thread opener() {
        return opener;
    }

    /** Not wanted after all, before it was used: what it was to overwrite is as good as lost, all else is as it was. */
    void giveUp(RuntimeException why) {
        AccessList declared = task.accessesUnlessOver();
        boolean writesOnly = false;
        for (int i = 0; i < declared.size(); i++) {
            Access access = declared.access(i);
            writesOnly |= access.writes() && !access.reads();
        }
        end(writesOnly ? why : null);
    }

    private void end(@Nullable RuntimeException why) {
        if (why == null) {
            end.complete(null);
        } else {
            end.completeExceptionally(why);
        }
        context = null; // behind the end: see begins()
    }

    // ---- for users

    /** The name of the task. */
    public String name() {
        return task.name();
    }

    /**
     * The value of a handle that the view was opened for, or a part of.
     *
     * @throws IllegalArgumentException when it was not
     * @throws IllegalStateException when it is closed
     */
    public <T> T get(Handle<T> handle) {
        return open().get(handle);
    }

    /**
     * All of some data that the view was opened for, in host memory; in its home, where it has one. Throws like
     * {@link #get}.
     */
    public Memory memory(Data data) {
        return open().memory(data);
    }

    /** A part of some data that the view was opened for. Throws like {@link #get}. */
    public Memory memory(View part) {
        return open().memory(part);
    }

    /** The value of the handle of that name. Throws like {@link TaskContext#get(String, Class)}, and {@link #get}. */
    public <T> T get(String handle, Class<T> type) {
        return open().get(handle, type);
    }

    /**
     * What the view was opened for of the data of that name. Throws like {@link TaskContext#memory(String)}, and
     * {@link #get}.
     */
    public Memory memory(String data) {
        return open().memory(data);
    }

    /**
     * The part of data that the view was opened for.
     *
     * @throws IllegalStateException when it is closed, or was opened for none or for several
     */
    public Memory memory() {
        TaskContext its = open();
        if (parts.size() != 1) {
            throw new IllegalStateException(this + " has " + parts + ": say which");
        }
        return its.memory(parts.getFirst());
    }

    private TaskContext open() {
        TaskContext its = context;
        if (its == null) {
            throw new IllegalStateException(this + " is closed: open another one");
        }
        return its;
    }

    /** The parts of data that it was opened for. */
    public List<View> parts() {
        return parts;
    }

    /** Whether it is open: it has what it was opened for, and nobody has closed it. */
    public boolean isOpen() {
        return context != null;
    }

    /** Lets go: what was written is the newest, and the tasks that wait go on. A second call does nothing. */
    @Override
    public void close() {
        end(null);
    }

    /** Names it, and says who opened it where. */
    @Override
    public String toString() {
        return "user view \"" + task.name() + "\", opened by thread " + opener.getName() + " at " + site;
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Staging;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The access that code outside of tasks has from {@link TaskBuilder#open} to {@link #close}: a task like any other,
 * with that code as its body. The view waits for earlier tasks that conflict with it; later tasks that conflict wait
 * until the view is closed; other tasks run. A view holds no worker.
 *
 * <pre>{@code
 * try (UserView view = session.data().open(y, Mode.READ)) {
 *     plot(view.memory());                                  // the newest, on the host; tasks that write y wait
 * }
 * }</pre>
 *
 * <p>A view belongs to the thread that opened it. That thread must not wait for tasks that wait for the view; such a
 * wait throws where it is recognized. Any thread may use and close a view. Values and memory that a view returned must
 * not be used any more once the view is closed.
 *
 * <p>Source: the abstract-runtime-system document, section II-C3 (lock and unlock of data handlers).
 */
public final class UserView implements AutoCloseable {
    private final TaskNode task;
    private final List<View> parts;
    private final String site;
    private final Thread opener = Thread.currentThread();
    /** The end of the body. Completed once, by the thread that closes the view or gives it up. */
    private final CompletableFuture<@Nullable Void> end;

    /**
     * The context of the task while the view is open; else null. Written by the worker that begins the task, before the
     * opener goes on; nulled by the thread that closes the view.
     */
    private volatile @Nullable TaskContext context;

    UserView(TaskNode task, List<View> parts, String site, CompletableFuture<@Nullable Void> end) {
        this.task = task;
        this.parts = parts;
        this.site = site;
        this.end = end;
    }

    /** Opens the view. Called by the worker that begins the task, when all data is there. */
    void begins(TaskContext its) {
        context = its;
        if (end.isDone()) { // given up in the meantime
            context = null;
        }
    }

    /** Returns true if the opener can go on: the view is open, or never will be. */
    boolean isDecided() {
        return context != null || task.isOver();
    }

    TaskNode task() {
        return task;
    }

    Thread opener() {
        return opener;
    }

    /**
     * Gives up a view that was never used: data that the view was to overwrite counts as lost, all else is unchanged.
     */
    void giveUp(Throwable why) {
        AccessList declared = task.accessesUnlessOver();
        boolean writesOnly = false;
        for (int i = 0; i < declared.size(); i++) {
            Access access = declared.access(i);
            writesOnly |= access.writes() && !access.reads();
        }
        end(writesOnly ? why : null);
        Staging staging = task.scope().domain.stagingOrNull();
        if (staging != null) {
            staging.endUnwantedWaits();
        }
    }

    private void end(@Nullable Throwable why) {
        if (why == null) {
            end.complete(null);
        } else {
            end.completeExceptionally(why);
        }
        context = null; // after the end: see begins()
    }

    // ---- for users

    /** Returns the name of the task. */
    public String name() {
        return task.name();
    }

    /**
     * Returns the value of a handle. The view must have been opened for the handle, or for the handle of which it is a
     * part.
     *
     * @throws IllegalArgumentException when the view was not opened for the handle
     * @throws IllegalStateException when the view is closed
     */
    public <T> T get(Handle<T> handle) {
        return open().get(handle);
    }

    /**
     * Returns all of some data that the view was opened for, in host memory; in the data's home, if it has one. Throws
     * like {@link #get}.
     */
    public Memory memory(Data data) {
        return open().memory(data);
    }

    /** Returns a part of some data that the view was opened for. Throws like {@link #get}. */
    public Memory memory(View part) {
        return open().memory(part);
    }

    /**
     * Returns the value of the handle of that name. Throws like {@link TaskContext#get(String, Class)}, and
     * {@link #get}.
     */
    public <T> T get(String handle, Class<T> type) {
        return open().get(handle, type);
    }

    /**
     * Returns the data of that name, all of it or the part that the view was opened for. Throws like
     * {@link TaskContext#memory(String)}, and {@link #get}.
     */
    public Memory memory(String data) {
        return open().memory(data);
    }

    /**
     * Returns the part of data that the view was opened for.
     *
     * @throws IllegalStateException when the view is closed, or was opened for no part or for several
     */
    public Memory memory() {
        TaskContext its = open();
        if (parts.size() != 1) {
            throw new IllegalStateException(
                    this + " is of " + parts + ", and not of one part: name the part, as memory(part) does");
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

    /** Returns the parts of data that the view was opened for. */
    public List<View> parts() {
        return parts;
    }

    /** Returns true if the view is open: its data is there, and no thread has closed it. */
    public boolean isOpen() {
        return context != null;
    }

    /**
     * Closes the view: the values that were written are the newest, and the tasks that wait go on. A second call does
     * nothing.
     */
    @Override
    public void close() {
        end(null);
    }

    /** Returns a text that names the view, its thread, and the place in the code that opened it. */
    @Override
    public String toString() {
        return "user view \"" + task.name() + "\", opened by thread " + Threads.name(opener) + " at " + site;
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The user views of a session, and the checks that refuse waits of their threads that would never end.
 *
 * <p>Threads: any.
 */
public final class UserViews {
    /** The views; closed ones too, until a view is opened, or a run waited for, after the end of their tasks. */
    private final Set<UserView> views = ConcurrentHashMap.newKeySet();

    /** The threads that submit the task of a view. Each adds and removes itself. */
    private final Set<Thread> submitting = ConcurrentHashMap.newKeySet();

    UserViews() {}

    /**
     * Returns the wait of code outside of tasks for those that write a handle.
     *
     * @param domain the domain of the session
     * @param readers begins a task outside of users' graphs, for the handle of a name
     */
    public static Handle.Wait ofHandles(DependencyDomain domain, Function<String, TaskBuilder> readers) {
        return new HandleWait(domain, readers);
    }

    /** Returns true if no view is open. */
    boolean isEmpty() {
        return views.isEmpty();
    }

    /** Submits the task of a view that the calling thread opens. */
    void submit(Runnable submission) {
        submitting.add(Thread.currentThread());
        try {
            submission.run();
        } finally {
            submitting.remove(Thread.currentThread());
        }
    }

    /**
     * Returns true if live tasks may be over only after the calling thread closes a view that it has open or is about
     * to open.
     */
    boolean isHoldingUp() {
        return submitting.contains(Thread.currentThread()) || own(view -> true) != null;
    }

    /** Returns the view, if it is open, of that task. */
    Optional<UserView> of(TaskNode task) {
        return views.stream()
                .filter(view -> view.isOpen() && view.task() == task)
                .findFirst();
    }

    /** Returns the views that are open. */
    public List<UserView> open() {
        return views.stream().filter(UserView::isOpen).toList();
    }

    /**
     * Returns the views that are open for {@code resource}, for a part of it, or for something of which it is a part.
     */
    public List<UserView> open(Resource resource) {
        return views.stream()
                .filter(UserView::isOpen)
                .filter(view -> view.task().accessesUnlessOver().touches(resource))
                .toList();
    }

    /** Returns true if the calling thread has a view open of {@code resource}, or of a whole that it is a part of. */
    boolean isOwnFor(Resource resource) {
        return own(view -> view.task().accessesUnlessOver().has(resource)) != null;
    }

    /**
     * Returns the views that no thread is left to close when the calling thread is about to wait for all tasks: its
     * own, and views of threads that are gone.
     */
    public List<UserView> forgotten() {
        return views.stream()
                .filter(view -> view.isOpen()
                        && (view.opener() == Thread.currentThread()
                                || !view.opener().isAlive()))
                .toList();
    }

    /** Waits until {@code view}, which has been submitted, is open. */
    UserView await(UserView view) {
        TaskNode task = view.task();
        try {
            TaskWait.until(task, view::isDecided, "user view \"" + task.name() + '"');
        } catch (RuntimeException | Error e) {
            view.giveUp(e);
            throw e;
        }
        RuntimeException failure = view.isOpen() ? null : task.failure();
        if (failure != null) {
            task.scope().graph.failures().tell(task.fate());
            throw failure;
        }
        forgetClosed();
        views.add(view);
        return view;
    }

    private void forgetClosed() {
        views.removeIf(old -> !old.isOpen() && old.task().isOver());
    }

    // ---- waits that would never end

    /**
     * Throws if the calling thread has a view that {@code what}, with these accesses, would wait for, or for a
     * successor of that view.
     *
     * @param around the task inside which {@code what} is submitted; null for none
     */
    void requireNoneInTheWay(String what, @Nullable TaskNode around, AccessList declared) {
        forgetClosed(); // so that repeated waits do not look at closed views each time
        UserView first = own(view -> HeldUp.wouldBe(view.task(), around, declared));
        if (first != null) {
            throw new IllegalStateException(what + " would wait for " + first
                    + ", which the calling thread has not closed: close that first, or open one view for both");
        }
    }

    /** Throws if the calling thread has a view that has to be closed before {@code task} can be over. */
    void requireNoneBefore(TaskNode task, String what) {
        UserView first = own(view -> HeldUp.by(view.task(), task));
        if (first != null) {
            throw new IllegalStateException(what + " would never be over: it comes after " + first
                    + ", which the waiting thread has not closed; close that first");
        }
    }

    /** Throws if the calling thread has a view that has to be closed before {@code graph} can be over. */
    void requireNoneBefore(TaskGraph graph) {
        UserView first = own(view -> HeldUp.by(view.task(), graph));
        if (first != null) {
            throw new IllegalStateException("graph \"" + graph.name()
                    + "\" would never be over: tasks of it are or come after " + first
                    + ", which the waiting thread has not closed; close that first");
        }
    }

    /** Returns true if the calling thread has a view that has to be closed before {@code graph} can be over. */
    boolean isBefore(TaskGraph graph) {
        return own(view -> HeldUp.by(view.task(), graph)) != null;
    }

    private @Nullable UserView own(Predicate<UserView> which) {
        if (views.isEmpty()) {
            return null;
        }
        for (UserView view : views) {
            if (view.isOpen() && view.opener() == Thread.currentThread() && which.test(view)) {
                return view;
            }
        }
        return null;
    }
}

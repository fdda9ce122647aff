package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.depend.AccessTracker;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The wait of code outside of tasks that takes the value of a handle, for the tasks that write it. A task that reads
 * the handle is submitted and joined, but only if a writer is live or has failed: the value of a handle that no task is
 * about to write costs a look under the domain's lock.
 *
 * <p>The thread must not wait for its own work. So there is no wait inside of a task or a function of one, in a
 * listener, with a view of the handle, and on threads that may run a part of a body: those of {@code ForkJoinPool}s,
 * which run parallel streams, and, while an asynchronous task with the handle is running or a view of it is open, all
 * but the opener of the session.
 *
 * <p>Threads: any.
 */
final class HandleWait implements Handle.Wait {
    private final DependencyDomain domain;
    private final Function<String, TaskBuilder> readers;
    private final Thread opener = Thread.currentThread();

    /**
     * Creates the wait of one session. By the thread that opens it.
     *
     * @param domain the domain of the session
     * @param readers begins a task outside of the user's graphs, for the handle of a name
     */
    HandleWait(DependencyDomain domain, Function<String, TaskBuilder> readers) {
        this.domain = domain;
        this.readers = readers;
    }

    @Override
    public void forWriters(Handle<?> handle) {
        if (!domain.dispatcher.isInsideNode() && mayWait(handle) && mustWait(handle) && !mayWorkFor(handle)) {
            readers.apply(handle.name()).reads(handle).run(context -> {}).join();
        }
    }

    /** Returns true if no task waits for the calling thread, as far as that is known. */
    private boolean mayWait(Handle<?> handle) {
        return !domain.isClosed()
                && ThreadFunction.innermost() == null
                && !(Thread.currentThread() instanceof ForkJoinWorkerThread)
                && !StateObserver.isTelling(domain.watch)
                && !domain.views().isOwnFor(handle)
                && !(handle.granted() instanceof Resource); // tasks declare accesses to that, not to its handle
    }

    /** Returns true if a task that writes the handle is live, or has left it unwritten. */
    private boolean mustWait(Handle<?> handle) {
        Writers writers = new Writers();
        domain.lock.lock();
        try {
            if (domain.epochs.isQuiet()) {
                return false;
            }
            if (handle.isUnordered() || handle.origin() != null) { // trackers know no such accesses, or not all
                return true;
            }
            domain.epochs.meetRun();
            domain.epochs.registerDeferred();
            AccessTracker<Tracked> own = tracker(handle);
            if (own != null) {
                own.eachWithin(writers);
            }
            for (Resource whole = handle.parent(); whole != null; whole = whole.parent()) {
                AccessTracker<Tracked> its = tracker(whole);
                if (its != null) {
                    its.each(writers);
                }
            }
        } finally {
            domain.lock.unlock();
        }
        return writers.any;
    }

    /**
     * Returns true if the calling thread may do the work of a task that accesses the handle: a view of the handle is
     * open, or an asynchronous task is running, which is one of a worker until its stage is known.
     */
    private boolean mayWorkFor(Handle<?> handle) {
        if (Thread.currentThread() == opener) {
            return false;
        }
        Asynchronous found = new Asynchronous(handle);
        domain.dispatcher.visit(found);
        domain.graphs().forEach(graph -> graph.running().eachSuspended(found::look));
        return found.any;
    }

    @SuppressWarnings("unchecked") // scopes set trackers of tasks alone
    private static @Nullable AccessTracker<Tracked> tracker(Resource resource) {
        return (AccessTracker<Tracked>) resource.tracker();
    }

    /** The writers among tracked tasks. Confined to the thread that looks, under the domain's lock. */
    private static final class Writers implements AccessTracker.Visitor<Tracked> {
        private boolean any;

        @Override
        public void entry(Tracked known, Access access) {
            any |= access.writes() && !(known instanceof TaskNode task && task.isForgotten(true));
        }
    }

    /** The running asynchronous tasks that access a handle. Confined to the thread that looks. */
    private static final class Asynchronous implements NodeVisitor {
        private final Handle<?> handle;
        private boolean any;

        Asynchronous(Handle<?> handle) {
            this.handle = handle;
        }

        void look(TaskNode task) {
            TaskRun run = task.taskRun();
            any |= run != null
                    && run.options.asynchronous
                    && task.accessesUnlessOver().touches(handle);
        }

        @Override
        public void worker(int index, String thread, String doing, @Nullable Node node) {
            if (node instanceof TaskNode task) {
                look(task);
            }
        }

        @Override
        public void queued(Node node, String where) {}

        @Override
        public void hidden(long nodes, String where) {}
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The place of a compiled graph's runs among the live tasks of their session. A run accesses all that the tasks of its
 * graph do: it waits for earlier live tasks that conflict, and later ones wait for it.
 *
 * <pre>
 *  begin, nothing is live       --> the run starts at once, and is the domain's only run without a task
 *    a live task is submitted,
 *    or another run begins      --> a task is made that stands for the run, as if it had been submitted before
 *  begin, something is live     --> the run is submitted as a task, whose body starts it
 *  over                         --> ends that task, if there is one
 * </pre>
 *
 * <p>So a run beside which nothing is live costs two looks under the domain's lock, and allocates nothing.
 *
 * <p>A failed run cancels the tasks that wait for it because they read what it was to write. It poisons nothing for
 * tasks submitted later: the failure is told to the one that asked for the run, and the next run starts afresh.
 *
 * <p>Threads: any; the runs of one order follow one another.
 */
public final class RunOrder {
    /** The runs of a compiled graph, as their order starts them. */
    public interface Runs {
        /** The run's turn has come. By a worker; must neither block nor throw. */
        void start();

        /**
         * The run never starts: what it was to read was not written, or the session gives up. By a worker; must neither
         * block nor throw.
         */
        void neverStarts(WorkerContext worker, RuntimeException why);
    }

    private final DependencyDomain domain;
    private final String name;
    /** Names the graph in messages. */
    private final String text;

    private final AccessList accesses;
    /** True if a run takes resources when it starts, for which it needs a task. */
    private final boolean takes;

    private final Runs runs;

    /** Stands for the run in flight; null when none does. Guarded by the domain's lock. */
    private @Nullable TaskNode task;
    /** True if the task in flight has started its run. Confined to the workers that run and end the task. */
    private boolean started;

    /**
     * The order of one graph's runs.
     *
     * @param domain of the session
     * @param name of the graph
     * @param accesses all that its tasks access
     * @param runs the run that it starts
     */
    public RunOrder(DependencyDomain domain, String name, AccessList accesses, Runs runs) {
        this.domain = domain;
        this.name = name;
        this.text = "compiled graph \"" + name + '"';
        this.accesses = accesses;
        this.runs = runs;
        boolean unordered = false;
        for (int i = 0; i < accesses.size(); i++) {
            Resource resource = accesses.resource(i);
            resource.declared(); // a run that begins alone is no task
            unordered |= resource.isUnordered();
        }
        this.takes = unordered;
    }

    /**
     * Throws when the calling thread has a user view that a run would wait for, or runs a function whose task the run
     * would wait for, and so must not wait for the run.
     *
     * @throws IllegalStateException which names the view or the task
     */
    public void requireMayWait() {
        if (!domain.views().isEmpty()) {
            domain.views().requireNoneInTheWay(text, accesses);
        }
        DrivenFunction.requireNoneInTheWay(text, null, accesses);
    }

    /** A run is to start: true when it may do so at once; else it is told later. Any thread. */
    public boolean begin() {
        if (accesses.isEmpty()) {
            return true;
        }
        TaskGraph graph = domain.runs();
        if (!takes) {
            domain.lock.lock();
            try {
                if (domain.beginsAlone(this)) {
                    return true;
                }
            } finally {
                domain.lock.unlock();
            }
        }
        submit(graph);
        return false;
    }

    private void submit(TaskGraph graph) {
        TaskBuilder builder = graph.task(name).unstaged(); // its tasks bring what they need
        accesses.each(builder::accesses);
        started = false;
        boolean submitted = false;
        try {
            builder.submitDetached(
                    context -> {
                        started = true;
                        graph.running().suspend((TaskNode) context);
                        runs.start();
                    },
                    new Link(null, false, true) {
                        @Override
                        void over(WorkerContext worker) {
                            if (!started) {
                                neverStarts(worker);
                            }
                        }
                    },
                    this::standBy);
            submitted = true;
        } finally {
            if (!submitted) {
                standBy(null); // else the next run that begins alone would end a task that was never submitted
            }
        }
    }

    private void standBy(@Nullable TaskNode its) {
        domain.lock.lock();
        task = its;
        domain.lock.unlock();
    }

    private void neverStarts(WorkerContext worker) {
        TaskNode its = take();
        RuntimeException why = its == null ? null : its.failure();
        if (its != null) {
            its.scope().graph.failures().tell(its.fate());
        }
        runs.neverStarts(worker, why == null ? new CancellationException(text + " was cancelled") : why);
    }

    /** A live task is about to be submitted beside the run in flight. Under the domain's lock. */
    void standIn() {
        Extras extras = new Extras();
        extras.detached = true;
        TaskNode its = new TaskNode(domain.runs().scope(), name, accesses.unwrap(), context -> {}, extras);
        task = its;
        domain.runs().scope().enterRunning(its);
        domain.runs().running().suspend(its);
    }

    /**
     * The run is over; what waited for it goes on. By the worker that ended the run.
     *
     * @param failure the exception of the run; null when all went well
     */
    public void over(WorkerContext worker, @Nullable RuntimeException failure) {
        TaskNode its = take();
        if (its == null) {
            return;
        }
        its.scope().graph.running().resume(its);
        its.runBy(worker.index());
        if (failure == null) {
            its.end(worker, TaskState.DONE, null);
            return;
        }
        boolean cancelled = failure instanceof CancellationException;
        Outcome how = cancelled
                ? Outcome.stopped(name, text)
                : Outcome.failed(name, failure, SlowPath.details(its, its.extras(), 1));
        its.scope().graph.failures().tell(how); // by the run
        its.end(worker, cancelled ? TaskState.CANCELLED : TaskState.FAILED, how);
        its.fate(null); // poisons nothing from here on
    }

    private @Nullable TaskNode take() {
        domain.lock.lock();
        try {
            TaskNode its = task;
            task = null;
            domain.runOver(this);
            return its;
        } finally {
            domain.lock.unlock();
        }
    }
}

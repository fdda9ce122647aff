package dev.jacquard.core.testing.random;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** Compiled graphs as tasks, and runs of them that submitters wait for, or do not. Threads: submitters. */
final class Runs {
    private final Program program;
    private final Session session;
    /** Nobody cancels it. */
    private final TaskGraph graph;

    private final Freezer freezer;
    private final Pace pace;
    /** True if no task that may meet one of a run is live. */
    private final BooleanSupplier alone;

    Runs(Program program, Session session, TaskGraph graph, Freezer freezer, Pace pace, BooleanSupplier alone) {
        this.program = program;
        this.session = session;
        this.graph = graph;
        this.freezer = freezer;
        this.pace = pace;
        this.alone = alone;
    }

    void submit(Tasks where, Seen its) {
        List<CompiledGraph> parts = new ArrayList<>();
        CompiledGraph graph = freezer.freeze(its.job, parts);
        its.result = graph.submit(where, program.name(its.job));
        cancelLater(its.job, graph, parts);
    }

    /** The submitter waits for a run, and then for another. */
    void run(Seen its) {
        List<CompiledGraph> parts = new ArrayList<>();
        boolean isTask = mayBeTask(its.job);
        CompiledGraph whole = freezer.freeze(its.job, isTask, parts);
        cancelLater(its.job, whole, parts);
        for (int i = Judge.runs(its.job); i > 0; i--) {
            if (its.job.isUnordered() && program.maySeeOthersOver()) {
                runUnordered(whole);
            } else if (i > 1 && isTask) {
                whole.submit(graph, "run of t" + its.job.id()); // the next run comes behind that task
            } else {
                run(whole);
            }
            if (i > 1) {
                squeeze();
            }
        }
    }

    /** Runs it, and waits for the end even if it is interrupted: the run goes on then. */
    private static void run(CompiledGraph graph) {
        try {
            graph.run();
        } catch (WaitInterruptedException e) {
            boolean _ = Thread.interrupted();
            try {
                graph.join();
            } finally {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Where the host has little memory, makes what a run has used go from there, so that the next one finds it moved.
     */
    private void squeeze() {
        Setting setting = program.setting();
        if (setting.tight() && setting.disk() && program.isCalm() && !setting.closes()) {
            Data all = session.data().of("squeeze", Layout.of(DataType.INT8, program.roomOnHost()));
            session.graph().task("squeeze").writes(all).run(context -> {
                context.memory(all).segment().fill((byte) -1);
            });
            session.graph().release(all).join();
        }
    }

    /** True if a run that nobody waits for ends as the one behind it does, of which the submitter hears. */
    private boolean mayBeTask(Job job) {
        return !job.isCancelledRun()
                && !program.setting().hasFaults()
                && !program.setting().interrupted()
                && job.inner().noneMatch(inner -> inner.fate().fails());
    }

    /** Without a place among others, so when no others are there: this submitter's turn lets none come. */
    private void runUnordered(CompiledGraph graph) {
        try {
            session.awaitUntil(alone);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        }
        graph.runUnordered();
    }

    /** Nobody waits for the run. */
    void start(Seen its) {
        CompiledGraph graph = freezer.freeze(its.job);
        graph.start((worker, failure) -> {
            its.complaint = failure;
            its.ended = failure == null ? TaskState.DONE : TaskState.CANCELLED;
            session.signal();
        });
        if (its.job.isCancelledRun()) {
            pace.pause(its.job);
            graph.cancel();
        }
    }

    /** Cancels the run, or that of a graph inside of it. */
    private void cancelLater(Job job, CompiledGraph graph, List<CompiledGraph> parts) {
        if (job.isCancelledRun()) {
            CompiledGraph which = parts.isEmpty() || job.id() / 100 % 3 == 0 ? graph : parts.getFirst();
            pace.later(() -> {
                pace.pause(job);
                which.cancel();
            });
        }
    }

    /** True if all of {@code graphs} are over now. */
    static boolean areOver(TaskGraph... graphs) {
        for (TaskGraph graph : graphs) {
            if (!graph.isOver()) {
                return false;
            }
        }
        return true;
    }
}

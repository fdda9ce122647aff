package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.residency.Staging;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run after a submission that broke off half way, since memory or the stack was full: the trackers cannot
 * be trusted any more, and tasks may wait for ever. The same holds for a demotion, the completion of a stage and the
 * start of a run of a compiled graph. Any thread.
 *
 * <p>The stack may be full for the report, too. So it is made of neither lambdas nor {@code +} between strings: where
 * the stack is full at the first use of such a call site in a JVM, each later use fails as well.
 */
final class BrokenSubmission extends Breakage {
    /** The name of that which broke off, where its thread could not say. */
    static final String SOMETHING = "a submission, or what else was to be done as a whole,";

    /** The name of a submission that broke off, if its thread could still set it; one of several. */
    private volatile @Nullable String what;

    /**
     * True once the broken submission was reported, which two threads may do at a time. Written after the report: there
     * may be no stack for the call that takes back a mark set before it.
     */
    private volatile boolean told;

    private final Dispatcher dispatcher;
    private final Supplier<? extends Iterable<TaskGraph>> graphs;

    BrokenSubmission(Dispatcher dispatcher, Supplier<? extends Iterable<TaskGraph>> graphs) {
        this.dispatcher = dispatcher;
        this.graphs = graphs;
    }

    /** Lets {@code staging}, if there is one, notice when something breaks off. Returns this. */
    BrokenSubmission noticedBy(@Nullable Staging staging) {
        if (staging != null) {
            staging.breaksWith(this);
        }
        return this;
    }

    /** Returns true if a submission broke off half way. */
    boolean isBroken() {
        return by != null;
    }

    /**
     * Ends the run, since {@code submission} broke off half way: waiting threads are notified, and nothing more starts.
     * If even this fails, for want of stack or memory, the next wait or submission does it.
     */
    void endRun(String submission) {
        Throwable why = by;
        what = what == null ? submission : what;
        if (why != null && !told) {
            String message = String.join(
                    "",
                    submission,
                    " broke off half way, and what there is of it cannot be taken back: ",
                    String.valueOf(why));
            dispatcher.fail(new RunEndedException(message, why, false));
            for (TaskGraph graph : graphs.get()) {
                graph.cancel();
            }
            told = true;
        }
    }

    /** Ends the run if a submission, probably that of {@code task}, has broken off half way. */
    void endRunOf(TaskNode task) {
        if (isBroken()) {
            endRun(String.join(
                    "",
                    "the submission of task \"",
                    task.name(),
                    "\" to graph \"",
                    task.scope().graph.name(),
                    "\""));
        }
    }

    /** Ends the run if something that the body of {@code task} called has broken off half way. */
    void endRunIn(TaskNode task) {
        if (isBroken()) {
            endRun(String.join("", "what task \"", task.name(), "\" called"));
        }
    }

    /** Ends the run, since the stage of {@code task} is complete, and the task may not go on. */
    void endRunAfter(TaskNode task) {
        endRun(String.join("", "the completion of the stage of task \"", task.name(), "\""));
    }

    /**
     * Runs the notification about a task's stage outside of the workers; ends the run if the notification breaks off.
     */
    void tellBeside(TaskNode task, Runnable telling) {
        dispatcher.background(() -> {
            try {
                telling.run();
            } catch (Error e) { // perhaps no thread was notified, and this one is no worker
                by = e;
                endRunAfter(task);
                throw e;
            }
        });
    }

    /** Throws if a submission broke off half way. */
    void requireNone() {
        Throwable why = by;
        if (why != null) {
            String known = what;
            String message = String.join(
                    "",
                    "the run has ended, since ",
                    known == null ? SOMETHING : known,
                    " broke off half way: ",
                    String.valueOf(why));
            throw new IllegalStateException(message, why);
        }
    }
}

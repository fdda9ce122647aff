package dev.jacquard.components.run;

import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.ThreadFunction;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Why and how a run ends early: a part fails, takes too long, or the user asks for it. Running parts are asked to stop,
 * and their threads are interrupted; parts that have not begun are left out.
 *
 * <p>Threads: any. {@code stopping} is read without the lock before each execution, and never unset; an interrupt is
 * sent to the threads that were at work when it was set under the lock. No code of components runs under the lock,
 * which the timers' thread takes.
 */
final class Stops implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.jacquard.components");

    private final Workers workers;
    private final Passes passes;
    /** Asks the parts to stop. */
    private final Cancellation cancellation;

    private final Cancellation.Registration users;

    private volatile boolean stopping;
    /** The first thing that went wrong; null if nothing did, or the user asked. Guarded by this. */
    private @Nullable Throwable failure;
    /**
     * The threads that run executions, and may be interrupted; a worker only within one that has a limit. Guarded by
     * this.
     */
    private final Map<Thread, Executions> atWork = new HashMap<>();

    /**
     * The executions that a thread runs. An interrupt waits while tasks run on the thread, where they submit or wait.
     */
    private static final class Executions extends ThreadFunction {}

    /**
     * Nothing ends early yet.
     *
     * @param users cancelled by the user
     * @param parts asks the parts to stop
     */
    Stops(Workers workers, Passes passes, Cancellation users, Cancellation parts) {
        this.workers = workers;
        this.passes = passes;
        this.cancellation = parts;
        this.users = users.onCancel(this::stop);
    }

    Cancellation cancellation() {
        return cancellation;
    }

    /** Returns true if nothing more may begin. */
    boolean isStopping() {
        return stopping;
    }

    /**
     * The calling thread runs executions from now on, and is interrupted when the run stops. Returns false if it did
     * before.
     */
    synchronized boolean begin() {
        Executions its = new Executions();
        boolean isFirst = atWork.putIfAbsent(Thread.currentThread(), its) == null;
        if (isFirst) {
            its.begin();
        }
        return isFirst;
    }

    /** The calling thread runs no more. It is not interrupted any more, nor left so. */
    synchronized void end() {
        Executions its = atWork.remove(Thread.currentThread());
        if (its != null) {
            its.end();
        }
    }

    /** A wait that can be interrupted. */
    @FunctionalInterface
    interface Waiting {
        void run() throws Exception;
    }

    /**
     * Waits on a thread that executes no part: a stop interrupts it.
     *
     * @throws InterruptedException if the run is stopped
     */
    void await(Waiting wait) throws Exception {
        begin();
        try {
            if (stopping) {
                throw new InterruptedException("the program was stopped");
            }
            wait.run();
        } finally {
            end();
        }
    }

    /** The calling thread was not interrupted by this run: its next execution has nothing to do with that. */
    synchronized void forgetInterrupt() {
        Executions its = atWork.get(Thread.currentThread());
        if (its == null || !its.isInterrupted()) {
            Thread.interrupted();
        }
    }

    /** Nothing more begins; running parts are asked to end. */
    void stop() {
        interruptAll();
        askParts();
    }

    /** Nothing more begins, and the threads of running parts are interrupted. */
    private synchronized void interruptAll() {
        stopping = true;
        for (Executions its : atWork.values()) {
            if (!its.isInterrupted()) { // once, since a component may clean up after it
                its.interrupt();
            }
        }
    }

    /** Asks the parts to stop, by actions of components. */
    private void askParts() {
        try {
            cancellation.cancel();
        } catch (RuntimeException | Error e) { // an action of a component's; the run ends for another reason
            LOG.log(Logger.Level.WARNING, "an action that a component runs when it is cancelled failed", e);
        }
    }

    /** An execution ended with an exception: the first one is the run's. */
    void failed(OpenedPart part, Throwable why) {
        boolean isCancelled = isInterrupt(why);
        try {
            String where = passes.around(part.number());
            Exception its = why instanceof InputException
                    ? new InputException("component '" + part.name() + "'" + where + ": " + why.getMessage(), why)
                    : new ComponentFailedException(
                            part.described() + " failed" + where + ": " + Reasons.of(why, part.component()), why);
            synchronized (this) {
                // The user's cancellation may reach the parts first, and this object then.
                if (failure == null && !(isCancelled && (stopping || cancellation.isCancelled()))) {
                    failure = its;
                }
            }
        } finally {
            stop();
        }
    }

    /** Returns true if an interrupt or a cancellation has led to an exception: of a value that was received, say. */
    private static boolean isInterrupt(Throwable why) {
        for (Throwable its = why; its != null; its = its.getCause()) {
            if (its instanceof CancellationException
                    || its instanceof InterruptedException
                    || its instanceof WaitInterruptedException) {
                return true;
            }
        }
        return false;
    }

    /** An execution cannot be started, since there is no thread or no memory for it. */
    void notStarted(OpenedPart part, Throwable why) {
        fail(new ComponentFailedException(part.described() + " could not be started: " + Reasons.of(why), why));
        stop();
    }

    /** Keeps the first failure. */
    private synchronized void fail(Throwable first) {
        if (failure == null) {
            failure = first;
        }
    }

    /** Something around the executions failed, for want of memory, say: allocates nothing before the run stops. */
    void broke(Throwable why) {
        stopping = true;
        fail(why);
        stop();
    }

    /** All ranks of the run wait for each other. */
    void hang(ComponentFailedException why) {
        fail(why);
        stop();
    }

    /** The state of the run could not be saved. */
    void notSaved(Throwable why) {
        fail(
                why instanceof Exception its
                        ? ofComponent(its)
                        : new ComponentFailedException(
                                "the state of the program could not be saved: " + Reasons.of(why), why));
        stop();
    }

    /** An exception of a component's own code is no failure of the disk, nor of the program. */
    private static Exception ofComponent(Exception why) {
        return why instanceof IOException
                        && (why.getCause() instanceof RuntimeException || why.getCause() instanceof Error)
                ? new ComponentFailedException(String.valueOf(why.getMessage()), why)
                : why;
    }

    /** Executes a part, with its limit of time if it has one. */
    void execute(OpenedPart part) throws Exception {
        if (part.limitNanos() == 0) {
            part.execute();
            return;
        }
        boolean isWorker = begin(); // a worker of the engine is interrupted within an execution with a limit alone
        try {
            if (stopping) {
                throw new CancellationException("the program was stopped");
            }
            Timer timer = workers.scheduleOnTimer(part.limitNanos(), () -> tookTooLong(part));
            try {
                part.execute();
            } finally {
                timer.cancel();
            }
        } finally {
            if (isWorker) {
                end();
            }
        }
    }

    private void tookTooLong(OpenedPart part) {
        String message = part.described() + " took longer than its limit of " + part.limitNanos() / 1e9 + " s"
                + passes.around(part.number());
        fail(new ComponentFailedException(message));
        interruptAll();
        workers.runUserCode(() -> {
            LOG.log(Logger.Level.WARNING, message);
            askParts();
        });
    }

    /**
     * Throws the exception that ended the run early.
     *
     * @throws CancellationException if the user asked for it
     */
    void check() throws Exception {
        Throwable first;
        synchronized (this) {
            first = failure;
        }
        if (first instanceof Exception its) {
            throw its;
        }
        if (first != null) {
            throw new ComponentFailedException("the program ended because of " + Reasons.of(first), first);
        }
        if (stopping) {
            throw new CancellationException("the program was cancelled");
        }
    }

    /** The run is over: the user's cancellation, which may be that of other runs, refers to this no more. */
    @Override
    public void close() {
        users.close();
    }
}

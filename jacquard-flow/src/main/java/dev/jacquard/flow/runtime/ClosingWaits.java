package dev.jacquard.flow.runtime;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.engine.Workers;
import org.jspecify.annotations.Nullable;

/**
 * The waits of the close of a run for all users of its buffers, which are freed afterwards. An interrupt, and
 * exceptions of the consumer of a stall watch, cut none of them short; both are reported after the last.
 *
 * <p>Threads: confined to the one that closes.
 */
final class ClosingWaits {
    private final Workers workers;
    private boolean interrupted = Thread.interrupted();
    private @Nullable Throwable thrown;

    /** A wait, which may begin again. */
    @FunctionalInterface
    interface Wait {
        void await() throws InterruptedException;
    }

    ClosingWaits(Workers workers) {
        this.workers = workers;
    }

    /** Waits, again and again until it has not been cut short. Throws the exception of the wait itself. */
    void await(Wait wait) {
        boolean over = false;
        while (!over) {
            try {
                wait.await();
                over = true;
            } catch (InterruptedException | WaitInterruptedException e) {
                boolean _ = Thread.interrupted();
                interrupted = true;
            } catch (RuntimeException | Error e) {
                keep(e);
            }
        }
    }

    private void keep(Throwable its) {
        if (!workers.stallWatchThrew(its)) {
            rethrow(its);
        }
        thrown = Suppressed.join(thrown, its);
    }

    /** Interrupts the thread again, if it was interrupted in the meantime. */
    void interruptAgain() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Throws {@code problem}, or the exception of a stall watch, if there is one. */
    void tell(@Nullable RuntimeException problem) {
        if (problem != null) {
            if (thrown != null) {
                Suppressed.add(problem, thrown);
            }
            throw problem;
        }
        if (thrown != null) {
            rethrow(thrown);
        }
    }

    private static void rethrow(Throwable its) {
        if (its instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) its;
    }
}

package dev.jacquard.flow.runtime;

import dev.jacquard.flow.report.FlowFailedException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run, which are fetched in batches and handed out one by one.
 *
 * <p>Threads: used by one thread at a time.
 */
final class Results implements Iterator<Object> {
    private final RunLife life;
    private final OutputQueue output;
    /** Throws inside of a comparator. */
    private final Runnable check;

    private final @Nullable Object[] batch = new @Nullable Object[256];
    private int at;
    private int count;

    Results(RunLife life, OutputQueue output, Runnable check) {
        this.life = life;
        this.output = output;
        this.check = check;
    }

    @Override
    public boolean hasNext() {
        if (at == count) {
            at = 0;
            count = 0;
            count = fetch();
        }
        return at < count;
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the run is done, and all its results were fetched");
        }
        Object item = Objects.requireNonNull(batch[at]);
        try {
            output.handedOut();
        } catch (Error e) { // a full stack: the caller may ask again, and the count be wrong
            life.broken.by = e;
            throw e;
        }
        batch[at++] = null;
        return item;
    }

    /**
     * Returns the next result if there is one now, else null. Waits for no body: where the run stops, there is none
     * until all copies have shut down.
     *
     * @throws FlowFailedException when the run failed, and all copies have shut down
     * @throws CancellationException when it was cancelled, and all copies have shut down
     */
    @Nullable
    Object poll() {
        if (at == count) {
            check.run();
            life.requireUnbroken();
            if (life.stopping()) {
                if (!life.completed()) {
                    return null;
                }
                life.requireNotStopped();
            }
            at = 0;
            count = 0;
            count = fetchFinished();
        }
        return at < count ? next() : null;
    }

    /** Returns the next result; waits for one, for {@code nanos} at most. Null if there is none. */
    @Nullable
    Object poll(long nanos) {
        Object now = poll();
        if (now != null || nanos <= 0) {
            return now;
        }
        life.awaitItems(() -> output.waiting() > 0 || life.completed(), nanos);
        return poll();
    }

    /**
     * Fetches finished items; waits for at least one. 0: the run is done and there is none left.
     *
     * @throws FlowFailedException when the run failed
     * @throws CancellationException when it was cancelled
     */
    private int fetch() {
        check.run();
        life.requireNotStopped();
        int fetched = fetchFinished();
        if (fetched == 0) {
            life.awaitItems(() -> output.waiting() > 0 || life.completed() || life.stopping());
            life.requireNotStopped();
            fetched = fetchFinished(); // after the wait: an interrupt loses none, and nothing comes after the end
        }
        return fetched;
    }

    private int fetchFinished() {
        try {
            return output.fetch(batch);
        } catch (Error e) { // a full stack: items may be in the batch, and not counted
            life.broken.by = e;
            throw e;
        }
    }
}

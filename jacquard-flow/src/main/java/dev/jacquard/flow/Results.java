package dev.jacquard.flow;

import dev.jacquard.flow.runtime.Run;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the results of a run, which fetches them in batches.
 *
 * <p>Threads: used by one thread at a time.
 */
final class Results<O> implements Iterator<O> {
    private final Run run;
    private final @Nullable Object[] batch = new @Nullable Object[256];
    private int at;
    private int count;

    Results(Run run) {
        this.run = run;
    }

    @Override
    public boolean hasNext() {
        if (at == count) {
            at = 0;
            count = 0;
            count = run.fetch(batch);
        }
        return at < count;
    }

    @Override
    @SuppressWarnings("unchecked") // the graph's output only takes items of this type
    public O next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the run is done, and all its results were fetched");
        }
        O item = (O) batch[at];
        batch[at++] = null;
        return Objects.requireNonNull(item);
    }
}

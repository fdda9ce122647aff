package dev.jacquard.flow;

import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.runtime.Run;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A graph at work: send items, say when there are no more, fetch the results.
 *
 * <p>The thread that opened the session runs tasks while it waits here. When a phase of a task throws, everything
 * stops, all copies shut down, and a thread that sends, fetches, waits or closes gets a
 * {@link dev.jacquard.flow.report.FlowFailedException} that says where, with further failures suppressed; after
 * {@link #cancel} a {@link java.util.concurrent.CancellationException}, with later exceptions of phases suppressed,
 * except for interrupts and cancellations, which follow from it. An interrupt ends the wait of a thread with a
 * {@link WaitInterruptedException}; the run goes on, and {@link #cancel} or {@link #close} end it.
 *
 * <p>A thread that waits for results or for the end throws an {@link IllegalStateException} where engine tasks of items
 * wait for that thread itself: for a user view that it has open, or for a function that it runs for a task. The run
 * goes on.
 *
 * <p>Threads: any, at the same time, except that results are fetched by one thread at a time.
 *
 * @param <I> items that come in
 * @param <O> items that go out
 */
public final class FlowRun<I, O> implements Iterable<O>, AutoCloseable {
    private final Run run;
    private final Iterator<O> results;

    @SuppressWarnings("unchecked") // the graph's output only takes items of this type
    FlowRun(Run run) {
        this.run = run;
        this.results = (Iterator<O>) run.results();
    }

    /**
     * Sends an item into the graph. Waits while as many items wait at the input, or as many results to be read, as the
     * {@linkplain Options bounds} allow. So results must be read by another thread than the one that sends, or the
     * bound must be larger than their number.
     *
     * @throws IllegalStateException after {@link #finish}; inside a task of the session while there is no room
     * @throws WaitInterruptedException when this thread is interrupted while it waits; the item was not sent
     */
    public void send(I item) {
        requireItem(item);
        run.send(item);
    }

    /**
     * Sends items in the order of {@code items}, many at a time, which costs less than one by one. Waits as
     * {@link #send} does.
     *
     * @throws IllegalStateException as {@link #send}; when another thread finishes concurrently, some were sent
     * @throws WaitInterruptedException when this thread is interrupted while it waits; some were sent
     */
    public void sendAll(Collection<? extends I> items) {
        FlowSource.requireGiven(items, "collection of items to send");
        Object[] all = items.toArray();
        for (Object item : all) {
            requireItem(item);
        }
        run.sendAll(all);
    }

    private static void requireItem(@Nullable Object item) {
        if (item == null) {
            throw new NullPointerException("null was sent: an item must be an object");
        }
    }

    /**
     * Sends the items of a publisher, and then {@linkplain #finish finishes}. Its demand is room: as many items are
     * requested as there are slots at the input, so no thread waits. An input without a bound requests all items.
     *
     * <p>An error of the publisher fails the run. Where the run takes no more items, since it has failed, was
     * cancelled, closed or finished, the subscription is cancelled.
     *
     * @throws IllegalStateException after {@link #finish}; when another publisher feeds the run
     */
    public void feed(Flow.Publisher<? extends I> publisher) {
        FlowSource.requireGiven(publisher, "publisher to feed the run");
        run.reactive().feed(publisher);
    }

    /**
     * Sends items from a background thread of the session, as there is room, and then {@linkplain #finish finishes}.
     * The iterator may be lazy, and may wait. If it throws, the run fails.
     *
     * @throws IllegalStateException after {@link #finish}; when something else feeds the run
     */
    public void feed(Iterable<? extends I> items) {
        FlowSource.requireGiven(items, "items to feed the run");
        run.reactive().feed(items);
    }

    /**
     * Returns the publisher of the results, for one subscriber; each result goes to it, or to one other reader. Results
     * are delivered as far as they are requested, one after the other, by background threads of the session; others
     * wait, and hold back senders once their bound is reached.
     *
     * <p>After the last result the subscriber gets {@code onComplete}; where the run fails or is cancelled,
     * {@code onError} with the exception that {@link #await} throws. A subscriber that cancels, cancels the run. A
     * subscriber that throws, or requests less than 1, fails the run.
     */
    @SuppressWarnings("unchecked") // the graph's output only takes items of this type
    public Flow.Publisher<O> publisher() {
        return (Flow.Publisher<O>) (Flow.Publisher<?>) run.reactive().publisher();
    }

    /** Says that no more items will be sent; the graph ends once it has worked through all. May be called again. */
    public void finish() {
        run.finish();
    }

    /**
     * The results, as they come, until the run is done. Every call continues where the last one left off. The iterator
     * waits for the next result while more items may come: without {@link #finish} for ever, which the session's stall
     * watch reports.
     */
    @Override
    public Iterator<O> iterator() {
        return results;
    }

    /**
     * Returns the next result if there is one now, else null. Never waits, neither for a body nor for a lock that is
     * held long, and runs no task. If {@link #isDone} returned true before this call returned null, all results were
     * read.
     *
     * @throws dev.jacquard.flow.report.FlowFailedException when the run failed; null until all bodies have ended
     * @throws java.util.concurrent.CancellationException when the run was cancelled; null until all bodies have ended
     */
    @SuppressWarnings("unchecked") // the graph's output only takes items of this type
    public @Nullable O poll() {
        return (O) run.poll(0);
    }

    /**
     * Returns the next result, and waits for one for {@code timeout} at most; null if there is none by then. The thread
     * that opened the session runs tasks while it waits, and returns after the task that it runs. A timeout of 0 or
     * less does not wait at all: see {@link #poll()}.
     *
     * @throws WaitInterruptedException when this thread is interrupted while it waits; the run goes on
     * @throws dev.jacquard.flow.report.FlowFailedException like {@link #poll()}
     * @throws java.util.concurrent.CancellationException like {@link #poll()}
     */
    @SuppressWarnings("unchecked") // the graph's output only takes items of this type
    public @Nullable O poll(Duration timeout) {
        FlowSource.requireGiven(timeout, "time for which a poll waits");
        boolean isLong = timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0;
        return (O) run.poll(isLong ? Long.MAX_VALUE : timeout.isPositive() ? timeout.toNanos() : 0);
    }

    /**
     * Waits until every copy has shut down; results that were not fetched yet can still be.
     *
     * @throws WaitInterruptedException when this thread is interrupted; the run goes on
     */
    public FlowReport await() {
        return run.await();
    }

    /** Stops the run: no task starts another item. Returns at once; {@link #close} waits. */
    public void cancel() {
        run.cancel();
    }

    /** Returns true if every copy has shut down. */
    public boolean isDone() {
        return run.completed();
    }

    /**
     * Takes a buffer, in line with the tasks of the graph; waits for one.
     *
     * @throws WaitInterruptedException when this thread is interrupted; it took none then
     * @throws IllegalStateException when the run is over
     * @throws IllegalArgumentException when the edge lends by size or by key
     * @throws java.util.concurrent.CancellationException when the run failed or was cancelled
     */
    @SuppressWarnings("unchecked") // the pool stands for this edge, and its values are of the edge's type
    public <T> Handle<T> take(MemoryEdge<T> edge, ReleaseRule rule) {
        FlowSource.requireGiven(edge, "memory edge to take from");
        FlowSource.requireGiven(rule, "release rule of a buffer of \"" + edge.name() + '"');
        return (Handle<T>) (Handle<?>) run.take(edge, rule, null);
    }

    /**
     * Takes a buffer of {@code bytes} bytes, as {@link #take(MemoryEdge, ReleaseRule)}.
     *
     * @throws IllegalArgumentException when {@code bytes} is negative, or more than the edge has; when the edge lends
     *     data
     */
    @SuppressWarnings("unchecked") // as above
    public <T> Handle<T> take(SizedEdge<T> edge, long bytes, ReleaseRule rule) {
        FlowSource.requireGiven(edge, "memory edge to take from");
        FlowSource.requireGiven(rule, "release rule of a buffer of \"" + edge.name() + '"');
        return (Handle<T>) (Handle<?>) run.take(edge, rule, bytes);
    }

    /**
     * Takes data of the given layout, as {@link #take(SizedEdge, long, ReleaseRule)}.
     *
     * @throws IllegalArgumentException when it has more bytes than the edge; when an allocator makes the edge's buffers
     */
    @SuppressWarnings("unchecked") // as above
    public Handle<Data> take(SizedEdge<Data> edge, Layout layout, ReleaseRule rule) {
        FlowSource.requireGiven(edge, "memory edge to take from");
        FlowSource.requireGiven(layout, "layout of data of \"" + edge.name() + '"');
        FlowSource.requireGiven(rule, "release rule of a buffer of \"" + edge.name() + '"');
        return (Handle<Data>) (Handle<?>) run.take(edge, rule, layout);
    }

    /**
     * Releases a buffer once: one that a result carries, say.
     *
     * @throws IllegalStateException when it was free already, or the run is closed, which has freed it
     * @throws IllegalArgumentException when no memory edge of this run lent it
     */
    public void release(Handle<?> buffer) {
        run.release(buffer);
    }

    /** Returns how the items ended so far. */
    public FlowReport report() {
        return run.report();
    }

    /** Where the time and the buffers are, so far. */
    public FlowProfile profile() {
        return run.profile();
    }

    /**
     * Cancels unfinished items, waits until every copy has shut down, and frees all buffers. A second call waits for
     * the end of the first. Where the engine has ended before, by a policy that threw, say, no buffer is freed: bodies
     * may still use them.
     *
     * @throws dev.jacquard.flow.report.FlowFailedException when the run failed and no call outside of tasks has
     *     reported that yet
     * @throws java.util.concurrent.CancellationException when the run was cancelled, by this call or before, a phase
     *     has thrown since, and that was not reported yet
     * @throws IllegalStateException when the run is done and a buffer was never released; when tasks of the run, or
     *     releases of its buffers, wait for a user view of this thread or for a function that it runs: then no buffer
     *     is freed, and the run is to be closed again
     */
    @Override
    public void close() {
        run.close();
    }

    /**
     * The options of a run. By default both ends are bounded, so that a stream without an end runs in bounded memory.
     *
     * <p>The bounds count items that wait, and senders wait for room; no body is ever held up. So a bound may be
     * exceeded: that of the input by one item for each thread that sends items one by one, that of the results by the
     * results of all items that are in the graph already, and by those that the reader has fetched together, at most
     * 256 and at most the bound. A start task is not held back.
     *
     * @param dedicated whether every task has a thread per copy; otherwise only tasks that are
     *     {@linkplain FlowTask#dedicated() dedicated}
     * @param inputBound the number of sent items that may wait at each task after the input before {@link FlowRun#send}
     *     waits; 0 for no bound
     * @param resultBound the number of results that may wait to be read before {@link FlowRun#send} waits; 0 for no
     *     bound
     */
    public record Options(boolean dedicated, int inputBound, int resultBound) {
        /** The default number of items that may wait at each task after the input. */
        public static final int INPUT_BOUND = 1_024;
        /** The default number of results that may wait to be read. */
        public static final int RESULT_BOUND = 16_384;

        /**
         * Checks the options.
         *
         * @throws IllegalArgumentException if a bound is negative
         */
        public Options {
            if (inputBound < 0) {
                throw new IllegalArgumentException("an input bound of " + inputBound + ": 0 (none) or more");
            }
            if (resultBound < 0) {
                throw new IllegalArgumentException("a result bound of " + resultBound + ": 0 (none) or more");
            }
        }

        /**
         * Returns the defaults: tasks run on the engine's workers, {@value #INPUT_BOUND} items may wait at the input,
         * and {@value #RESULT_BOUND} results.
         */
        public static Options defaults() {
            return new Options(false, INPUT_BOUND, RESULT_BOUND);
        }

        /** Returns the defaults without bounds: {@link FlowRun#send} never waits, and memory is the limit. */
        public static Options unbounded() {
            return new Options(false, 0, 0);
        }

        /** Returns these options with a thread for each copy of each task. */
        public Options withDedicatedThreads() {
            return new Options(true, inputBound, resultBound);
        }

        /** Returns these options with another bound of the input, 0 for none: see {@link #inputBound}. */
        public Options withInputBound(int items) {
            return new Options(dedicated, items, resultBound);
        }

        /** Returns these options with another bound of the results, 0 for none: see {@link #resultBound}. */
        public Options withResultBound(int results) {
            return new Options(dedicated, inputBound, results);
        }
    }
}

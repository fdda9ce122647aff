package dev.jacquard.cluster.message;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one context that wait for receives, and the receives that wait for messages; never both for the same
 * message. Both are in the order in which they came.
 *
 * <p>Threads: any; the monitor guards both lists. Under it, nothing of others is called but {@link Payload#keep}.
 */
@SuppressWarnings("JdkObsolete") // messages leave from the midst
final class Channel {
    private final ArrayDeque<Receive> receives = new ArrayDeque<>();
    private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
    /** The error of another rank, which ends all here. Guarded by this. */
    private @Nullable RuntimeException broken;

    /** A message that has come. */
    record Arrival(Envelope envelope, Payload payload) {}

    /** A message has come: gives it to the first receive that it matches, or keeps it. */
    void deliver(Envelope envelope, Payload payload) {
        Receive receive;
        Receive refused = null;
        boolean isKept = false;
        synchronized (this) {
            receive = firstFor(envelope);
            if (receive == null && broken == null) {
                arrivals.add(new Arrival(envelope, payload.keep()));
                isKept = true;
                refused = firstThatExcludes(envelope);
            }
        }
        if (isKept) {
            if (refused != null) {
                refused.refuse(envelope);
            }
        } else if (receive != null) {
            receive.take(envelope, payload);
        } else {
            payload.drop();
        }
    }

    private @Nullable Receive firstFor(Envelope envelope) {
        Receive first = receives.peekFirst();
        if (first == null || first.matches(envelope)) {
            return receives.pollFirst();
        }
        for (Iterator<Receive> all = receives.iterator(); all.hasNext(); ) {
            Receive each = all.next();
            if (each.matches(envelope)) {
                all.remove();
                return each;
            }
        }
        return null;
    }

    private @Nullable Receive firstThatExcludes(Envelope envelope) {
        for (Iterator<Receive> all = receives.iterator(); all.hasNext(); ) {
            Receive each = all.next();
            if (each.excludes(envelope)) {
                all.remove();
                return each;
            }
        }
        return null;
    }

    private @Nullable Envelope firstExcludedBy(Receive receive) {
        for (Arrival each : arrivals) {
            if (receive.excludes(each.envelope)) {
                return each.envelope;
            }
        }
        return null;
    }

    private @Nullable Arrival firstFor(Receive receive) {
        Arrival first = arrivals.peekFirst();
        if (first == null || receive.matches(first.envelope)) {
            return arrivals.pollFirst();
        }
        for (Iterator<Arrival> all = arrivals.iterator(); all.hasNext(); ) {
            Arrival each = all.next();
            if (receive.matches(each.envelope)) {
                all.remove();
                return each;
            }
        }
        return null;
    }

    /** Gives a receive the first message that it matches, or lets it wait for one. */
    void post(Receive receive) {
        Arrival arrival;
        Envelope excluded = null;
        RuntimeException failure;
        synchronized (this) {
            arrival = firstFor(receive);
            failure = broken;
            if (arrival == null && failure == null) {
                excluded = firstExcludedBy(receive);
                if (excluded == null) {
                    receives.add(receive);
                    return;
                }
            }
        }
        if (arrival != null) {
            receive.take(arrival.envelope, arrival.payload);
        } else if (excluded != null) {
            receive.refuse(excluded);
        } else {
            receive.operation.fail(Objects.requireNonNull(failure));
        }
    }

    /** Gives a receive the first message that it matches, if there is one. */
    boolean postNow(Receive receive) {
        Arrival arrival;
        synchronized (this) {
            arrival = firstFor(receive);
        }
        if (arrival == null) {
            return false;
        }
        receive.take(arrival.envelope, arrival.payload);
        return true;
    }

    /** Ends all receives that wait, and later receives for which no message is here. */
    void fail(RuntimeException failure) {
        List<Receive> all;
        synchronized (this) {
            broken = broken == null ? failure : broken;
            all = new ArrayList<>(receives);
            receives.clear();
        }
        for (Receive each : all) {
            each.operation.fail(failure);
        }
    }

    synchronized @Nullable RuntimeException broken() {
        return broken;
    }

    /** Returns the heads of the messages that wait. */
    synchronized List<Envelope> waiting() {
        return arrivals.stream().map(Arrival::envelope).toList();
    }

    /** Returns a message that waits with a tag below a number; null if there is none. */
    synchronized @Nullable Envelope olderThan(int tag) {
        for (Arrival each : arrivals) {
            if (each.envelope.tag() < tag) {
                return each.envelope;
            }
        }
        return null;
    }

    /** Drops all messages that wait, and returns their heads. */
    List<Envelope> clear() {
        List<Arrival> all;
        synchronized (this) {
            all = new ArrayList<>(arrivals);
            arrivals.clear();
        }
        for (Arrival each : all) {
            each.payload.drop();
        }
        return all.stream().map(Arrival::envelope).toList();
    }
}

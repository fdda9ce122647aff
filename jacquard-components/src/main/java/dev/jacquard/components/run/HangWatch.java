package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Communicator.Waiting;
import dev.jacquard.cluster.communicator.Message;
import dev.jacquard.engine.Workers;
import dev.jacquard.engine.work.Dispatcher.Timer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds ranks that all wait for each other. A rank with a thread that has waited for the same message for some time
 * reports that to rank 0, again and again; rank 0 takes it for a hang when all ranks have reported twice since the last
 * of them began to wait: none has gone on in between.
 *
 * <p>Threads: looks of one rank are made one at a time by the timer; the reports to rank 0 are confined to its
 * listening thread.
 */
final class HangWatch implements AutoCloseable {
    /** The tag of a report; an empty one says that the rank goes on. */
    static final int TAG = 2;

    private static final Codec<String> TEXT = Codecs.standard().of(String.class);
    private static final long INTERVAL = 200_000_000L;
    private static final int ENOUGH = 2;

    private final Communicator comm;
    private final Workers workers;
    private final Supplier<@Nullable Waiting> observed;
    /** Guarded by this, like the two below. */
    private Timer timer;

    private boolean closed;
    private long seen = -1;
    private boolean reported;

    /** By rank: its wait as it has reported it last; null while it goes on. */
    private final @Nullable String[] waits;
    /** By rank: its reports since the last rank began to wait. */
    private final int[] fresh;

    /** Observes the calling thread. */
    HangWatch(Communicator comm, Workers workers) {
        this.comm = comm;
        this.workers = workers;
        this.observed = comm.observe();
        this.waits = new String[comm.size()];
        this.fresh = new int[comm.size()];
        this.timer = workers.schedule(INTERVAL, this::look);
    }

    private synchronized void look() {
        if (closed) {
            return;
        }
        try {
            Waiting now = observed.get();
            if (now != null && now.number() == seen) {
                comm.sendValueAsync(TEXT, now.number() + ":" + now.text(), 0, TAG);
                reported = true;
            } else if (reported) {
                comm.sendValueAsync(TEXT, "", 0, TAG);
                reported = false;
            }
            seen = now == null ? -1 : now.number();
        } catch (CommunicationException e) { // the ranks were ended
            return;
        }
        timer = workers.schedule(INTERVAL, this::look);
    }

    /**
     * Rank 0 has received a report.
     *
     * @return the text of a hang; null if there is none
     */
    @Nullable
    String receive(Message message) throws InterruptedException {
        int rank = message.status().source();
        String wait = message.receiveValue(TEXT);
        if (wait.equals(waits[rank])) {
            fresh[rank]++;
        } else {
            waits[rank] = wait.isEmpty() ? null : wait;
            Arrays.fill(fresh, 0);
        }
        return Arrays.stream(fresh).allMatch(count -> count >= ENOUGH) ? text() : null;
    }

    private String text() {
        StringBuilder text = new StringBuilder("all ranks wait for each other: ");
        for (int rank = 0; rank < waits.length; rank++) {
            String wait = Objects.requireNonNull(waits[rank]);
            String its = wait.substring(wait.indexOf(':') + 1);
            text.append(rank == 0 ? "" : "; ").append("rank ").append(rank);
            text.append(its.endsWith("'" + comm.name() + "'") ? " has ended" : " waits for " + its);
        }
        return text.toString();
    }

    @Override
    public synchronized void close() {
        closed = true;
        timer.cancel();
    }
}

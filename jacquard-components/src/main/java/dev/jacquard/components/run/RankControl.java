package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Message;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The agreement of ranks on how a run ends: a rank with a run that ends early asks the others to stop, and at the end
 * all ranks have the same outcome, which is that of the lowest rank that failed by itself.
 *
 * <p>Threads: a background thread receives the requests of other ranks; {@code heard} is written by it alone, before
 * the run of this rank is stopped. Any thread may ask the others to stop.
 */
final class RankControl implements AutoCloseable {
    private static final Codec<String> TEXT = Codecs.standard().of(String.class);
    private static final int END = 0;
    private static final int STOP = 1;

    private final Communicator comm;
    private final Stops stops;
    private final Cancellation.Registration registration;
    private final HangWatch hangs;
    /** Null if the run keeps no checkpoints, or each rank runs all parts. */
    private final @Nullable RankSavepoints savepoints;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean heard;
    /** Nothing more is sent. Guarded by this. */
    private boolean closed;

    private enum Outcome {
        DONE,
        CANCELLED,
        WRONG_INPUT,
        FAILED
    }

    /**
     * Collective: begins to listen.
     *
     * @param savepoints gets messages about savepoints; null if the run has none
     */
    RankControl(Communicator world, Workers workers, Stops stops, @Nullable RankSavepoints savepoints)
            throws InterruptedException {
        this.comm = world.duplicate("control");
        this.stops = stops;
        this.savepoints = savepoints;
        if (savepoints != null) {
            savepoints.connect(comm);
        }
        this.hangs = new HangWatch(comm, workers);
        workers.background(comm.service(this::listen));
        this.registration = stops.cancellation().onCancel(this::tellOthers);
    }

    private void listen() {
        try {
            while (true) {
                Message message = comm.probe(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
                if (message.status().tag() == HangWatch.TAG) {
                    String hang = hangs.receive(message);
                    if (hang != null) {
                        stops.hang(new ComponentFailedException(hang));
                    }
                    continue;
                }
                if (message.status().tag() == RankSavepoints.TAG) {
                    Objects.requireNonNull(savepoints).receive(message);
                    continue;
                }
                message.receive(Elements.none());
                if (message.status().tag() == END) {
                    return;
                }
                heard = true;
                stops.stop();
            }
        } catch (InterruptedException | CommunicationException e) { // the ranks were ended
            stops.stop();
        } finally {
            ended.countDown();
        }
    }

    /** Asks the other ranks to stop, unless one of them asked first, or the run is over. */
    synchronized void tellOthers() {
        if (heard || closed) {
            return;
        }
        try {
            for (int rank = 0; rank < comm.size(); rank++) {
                if (rank != comm.rank()) {
                    comm.sendAsync(Elements.none(), rank, STOP);
                }
            }
        } catch (CommunicationException e) { // the ranks were ended: none runs any more
        }
    }

    /**
     * Collective: waits for the ends of all ranks.
     *
     * @param own the exception that ended this one early; null if none did
     * @throws Exception that ended the run, on all ranks
     */
    void agree(@Nullable Throwable own) throws Exception {
        boolean interrupted = Thread.interrupted();
        List<String> all;
        try {
            all = comm.allgatherValues(TEXT, outcome(own) + ":" + (own == null ? "" : own.getMessage()));
        } catch (CommunicationException e) {
            if (own instanceof Exception its) {
                throw its;
            }
            throw e;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        int worst = -1;
        for (int rank = 0; rank < all.size(); rank++) {
            if (worst < 0 || outcome(all.get(rank)).compareTo(outcome(all.get(worst))) > 0) {
                worst = rank;
            }
        }
        throwOutcome(own, worst, all);
    }

    private void throwOutcome(@Nullable Throwable own, int rank, List<String> all) throws Exception {
        Outcome outcome = outcome(all.get(rank));
        String text = all.get(rank).substring(outcome.name().length() + 1);
        String where = "rank " + rank + ": " + text;
        Throwable cause = rank == comm.rank() ? own : null;
        switch (outcome) {
            case DONE -> {}
            case CANCELLED -> throw new CancellationException(text);
            case WRONG_INPUT -> throw cause == null ? new InputException(where) : new InputException(where, cause);
            case FAILED -> {
                String message = where + others(rank, all);
                throw cause == null
                        ? new ComponentFailedException(message)
                        : new ComponentFailedException(message, cause);
            }
        }
    }

    private static String others(int first, List<String> all) {
        List<Integer> others = new ArrayList<>();
        for (int rank = 0; rank < all.size(); rank++) {
            if (rank != first && outcome(all.get(rank)) == Outcome.FAILED) {
                others.add(rank);
            }
        }
        return others.isEmpty() ? "" : " (ranks " + others + " failed, too)";
    }

    private static Outcome outcome(@Nullable Throwable own) {
        return switch (own) {
            case null -> Outcome.DONE;
            case CancellationException _, InterruptedException _ -> Outcome.CANCELLED;
            case InputException _ -> Outcome.WRONG_INPUT;
            default -> Outcome.FAILED;
        };
    }

    private static Outcome outcome(String text) {
        return Outcome.valueOf(text.substring(0, text.indexOf(':')));
    }

    /** Ends listening. */
    @Override
    public void close() {
        registration.close();
        hangs.close();
        synchronized (this) { // an action of the cancellation may run still
            closed = true;
        }
        try {
            comm.sendAsync(Elements.none(), comm.rank(), END);
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CommunicationException e) { // then it has ended
        }
        comm.close();
    }
}

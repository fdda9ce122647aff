package dev.jacquard.mpi.transport;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Envelope;
import dev.jacquard.cluster.message.Payload;
import dev.jacquard.cluster.message.Transport;
import dev.jacquard.cluster.message.Wait;
import dev.jacquard.mpi.library.Mpi;
import dev.jacquard.mpi.library.ThreadLevel;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The transport over a library of MPI. A message that is not large is one of MPI with tag 0; of a large one the head
 * has tag 0, and names the tag of the pieces of its content.
 *
 * <p>Threads: any. {@code endpoint} is set once, before messages come.
 */
public final class MpiTransport implements Transport {
    /** Messages after which other things are looked at. */
    private static final int MOST_IN_ROW = 16;

    private final Mpi mpi;
    private final Consumer<String> report;
    private final Calls calls;
    private final Transfers transfers;
    private final Sends sends;
    private final Ends ends;
    private final Arrivals arrivals;
    private final Progress progress;
    private final ThreadFactory helpers = Threads.virtual("rank-helper-");
    private @Nullable Endpoint endpoint;
    /** Messages since other things were looked at. Confined to the one that polls. */
    private int inRow;
    /** Set by the thread that polls when the library fails. */
    private volatile @Nullable RuntimeException broken;

    private final AtomicBoolean aborted = new AtomicBoolean();
    /** Written by any thread. */
    private volatile IntConsumer ending = code -> {};

    /** Set once, by {@link #stop}. */
    private volatile boolean stopped;

    /**
     * A transport.
     *
     * @param spins the number of polls in vain before a thread that waits leaves its processor to others
     * @param report called with lines for the user
     */
    public MpiTransport(Mpi mpi, int spins, Clock clock, Consumer<String> report) {
        this.mpi = mpi;
        this.report = report;
        Arena arena = Arena.global(); // the library may write to it until it is finished
        this.calls = new Calls(mpi.level(), this::progress);
        this.transfers = new Transfers(mpi, calls, arena);
        this.sends = new Sends(mpi, calls, arena);
        this.ends = new Ends(mpi.rank());
        this.arrivals = new Arrivals(mpi, transfers, ends, arena);
        this.progress = new Progress(this::poll, ends::count, mpi.level(), spins, clock);
    }

    @Override
    public int rank() {
        return mpi.rank();
    }

    @Override
    public int size() {
        return mpi.size();
    }

    @Override
    public void attach(Endpoint its) {
        endpoint = its;
    }

    /** Begins to receive messages. Called by the thread that has started the library, and will call {@link #nap}. */
    public void start() {
        progress.setNapping(Thread.currentThread());
        arrivals.start();
    }

    /** Polls by turns with naps until {@link #stop}. */
    public void nap() {
        progress.nap(() -> stopped, () -> {
            if (broken == null) {
                arrivals.stop();
            }
        });
    }

    /** Ends {@link #nap}. */
    public void stop() {
        stopped = true;
    }

    /** Returns false if the library has failed. */
    public boolean isSound() {
        return broken == null;
    }

    private boolean poll() {
        if (stopped) {
            return false;
        }
        if (broken != null) {
            return calls.poll(); // such as an abort
        }
        try {
            boolean moved = arrivals.poll(Objects.requireNonNull(endpoint));
            if (moved && ++inRow < MOST_IN_ROW) {
                return true; // a thread may wait for it
            }
            inRow = 0;
            moved |= calls.poll();
            moved |= sends.poll();
            moved |= transfers.poll();
            return moved;
        } catch (RuntimeException | Error e) {
            RuntimeException failure = new CommunicationException(e.toString(), e);
            broken = failure;
            Objects.requireNonNull(endpoint).fail(failure);
            return false;
        }
    }

    @Override
    public void send(int to, Envelope envelope, Elements elements, Payload.Completion then) {
        if (envelope.bytes() <= Frame.MOST_EAGER) {
            sends.send(to, envelope, elements, then);
            return;
        }
        Threads.requireForAll("elements of " + envelope.bytes() + " bytes to send", elements.memory());
        int tag = transfers.takeTag();
        sends.sendHead(to, Transfer.form(elements), tag, envelope);
        transfers.start(Transfer.send(transfers, to, tag, elements, then));
    }

    @Override
    public void progress() {
        progress.tryOnce();
    }

    @Override
    public void await(Wait wait) throws InterruptedException {
        progress.await(wait::isOver, () -> ends.check(wait));
    }

    @Override
    public void execute(Runnable action) {
        helpers.newThread(action).start();
    }

    @Override
    public AbortedException abort(int code, String reason) {
        String text = "rank " + rank() + " ended all ranks: " + reason;
        endAll(code, text);
        return new AbortedException(rank(), code, text, null);
    }

    /** Sets an action that is called with the exit code before all processes are ended. */
    public void whenEndingAll(IntConsumer action) {
        ending = action;
    }

    /** Ends all processes, unless that has begun. The library ends this one, too. */
    public void endAll(int code, String text) {
        if (aborted.compareAndSet(false, true)) {
            ending.accept(code);
            report.accept(text);
            call(() -> {
                mpi.functions().abort(mpi.world(), code);
                return code;
            });
        }
    }

    @Override
    public OptionalLong handle() {
        return OptionalLong.of(mpi.users());
    }

    @Override
    public OptionalLong handle(int[] ranks) {
        return OptionalLong.of(call(() -> mpi.createGroup(ranks)));
    }

    @Override
    public void free(long handle) {
        if (handle != mpi.users()) {
            call(() -> {
                mpi.free(handle);
                return handle;
            });
        }
    }

    /** Makes a call of the library that may wait for other ranks. */
    private <T> T call(Supplier<T> making) {
        if (mpi.level() == ThreadLevel.MULTIPLE) {
            return making.get();
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        calls.run(() -> {
            try {
                result.complete(making.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException its ? its : e;
        }
    }

    /**
     * Ends this rank in good order: other ranks learn that it sends nothing more, and it waits until all have ended.
     * Messages that come are dropped.
     *
     * @param unreceived called with the heads of messages that were not received
     */
    public void end(Consumer<List<Envelope>> unreceived) throws InterruptedException {
        for (int to = 0; to < size(); to++) {
            if (to != rank()) {
                sends.sendHead(to, Frame.END, 0, new Envelope(0, rank(), 0, (byte) 0, (byte) 0, 0));
            }
        }
        Endpoint its = Objects.requireNonNull(endpoint);
        progress.await(
                () -> {
                    // First, since other threads deliver messages, too: all have come before the last end.
                    boolean isOver =
                            broken != null || (ends.count() == size() - 1 && sends.isEmpty() && transfers.isEmpty());
                    List<Envelope> left = its.clear();
                    if (!left.isEmpty()) {
                        unreceived.accept(left);
                    }
                    return isOver;
                },
                () -> {});
    }
}

package dev.jacquard.mpi;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.World;
import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Envelope;
import dev.jacquard.cluster.message.RankCommunicator;
import dev.jacquard.mpi.library.Launched;
import dev.jacquard.mpi.library.Mpi;
import dev.jacquard.mpi.library.ThreadLevel;
import dev.jacquard.mpi.transport.MpiTransport;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The world of MPI. One thread starts the library, polls it whenever no other does, and finishes it: a library without
 * support for threads must be called by that one.
 *
 * <pre>
 *  start ──▶ thread "mpi-0": MPI_Init_thread ──▶ polls by turns with naps ──▶ MPI_Finalize
 *                                                                 ▲
 *  exit of the JVM ──▶ closed? ──▶ yes: stop ─────────────────────┘        no: MPI_Abort
 * </pre>
 *
 * <p>Threads: any.
 */
final class MpiWorld implements World {
    /** Polls in vain before a thread that waits yields, if each rank has a processor. */
    private static final int SPINS = 500;
    /** The same if ranks share processors: the message comes from one that does not run now. */
    private static final int FEW_SPINS = 20;
    /** Lines of messages that were not received. */
    private static final int MOST_LINES = 10;

    private final Mpi mpi;
    private final MpiTransport transport;
    private final RankCommunicator communicator;
    private final Consumer<String> report;
    private final AtomicBoolean closing = new AtomicBoolean();
    /** Written once, by the thread that closes. */
    private volatile boolean closed;
    /** Written by any. */
    private volatile int code = 1;
    /** Confined to the thread that closes. */
    private int unreceived;

    private MpiWorld(Mpi mpi, int spins, Consumer<String> report) {
        this.mpi = mpi;
        this.report = report;
        this.transport = new MpiTransport(mpi, spins, Clock.system(), report);
        this.communicator = RankCommunicator.world(new Endpoint(transport));
    }

    static MpiWorld start(Map<String, String> environment, Launched launched, Consumer<String> report) {
        int here = launched.launch().sizeHere();
        int spins = here > Machine.availableProcessors() ? FEW_SPINS : SPINS;
        CompletableFuture<MpiWorld> started = new CompletableFuture<>();
        Thread thread = Threads.platform("mpi-").newThread(() -> {
            MpiWorld its;
            try {
                its = new MpiWorld(Mpi.start(environment, launched), spins, report);
                its.transport.start();
            } catch (Throwable e) {
                started.completeExceptionally(e);
                return;
            }
            started.complete(its);
            its.serve();
        });
        thread.start();
        MpiWorld its;
        try {
            its = started.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : new CommunicationException("MPI did not start: " + e.getCause(), e.getCause());
        }
        if (its.mpi.level() != ThreadLevel.MULTIPLE) {
            report.accept(
                    its.mpi.name() + " is " + its.mpi.level().text() + " only: messages take some microseconds longer");
        }
        Runtime.getRuntime().addShutdownHook(Threads.platform("mpi-exit-").newThread(() -> its.exit(thread)));
        return its;
    }

    private void serve() {
        transport.nap();
        if (transport.isSound()) {
            mpi.functions().finish();
        }
    }

    @Override
    public Communicator communicator() {
        return communicator;
    }

    @Override
    public String description() {
        return mpi.name() + " (" + mpi.file() + "), " + mpi.level().text();
    }

    @Override
    public void exitWith(int its) {
        if (its < 1) {
            throw new IllegalArgumentException("the exit code " + its + " of ranks that fail; expected one from 1 on");
        }
        code = its;
    }

    @Override
    public void whenEndingAll(IntConsumer action) {
        transport.whenEndingAll(action);
    }

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try {
            transport.end(this::reportUnreceived);
            closed = transport.isSound();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reportUnreceived(List<Envelope> left) {
        for (Envelope each : left) {
            if (unreceived < MOST_LINES) {
                report.accept("rank " + mpi.rank() + " has not received a message of rank " + each.source()
                        + " with tag " + each.tag());
            }
            unreceived++;
        }
        if (unreceived > MOST_LINES) {
            report.accept("rank " + mpi.rank() + " has not received " + unreceived + " messages");
        }
    }

    @Override
    public void abort(Throwable failure) {
        transport.abort(code, failure.toString());
    }

    private void exit(Thread serving) {
        if (closed) {
            transport.stop();
            Threads.join(serving); // waits for the other ranks; the launcher ends this one if they do not end well
        } else {
            transport.endAll(code, "rank " + mpi.rank() + " exits before its program is over, and ends all ranks");
        }
    }
}

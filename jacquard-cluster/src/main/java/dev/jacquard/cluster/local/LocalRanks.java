package dev.jacquard.cluster.local;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.DeadlockException;
import dev.jacquard.cluster.message.Endpoint;
import dev.jacquard.cluster.message.Envelope;
import dev.jacquard.cluster.message.RankCommunicator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Ranks inside this process, each on its own thread. A program that runs so runs over MPI as it is.
 *
 * <pre>{@code
 * List<Double> norms = LocalRanks.of(4).run(comm -> {
 *     double[] norm = {comm.rank()};
 *     comm.allreduce(Elements.of(norm), Reduction.sum());
 *     return norm[0];
 * });
 * }</pre>
 *
 * <p>If all ranks wait for each other, that is reported at once as a {@link DeadlockException} with the cycle. If a
 * rank fails, the others are ended.
 *
 * <p>Immutable: each method returns other ranks. Threads: any.
 */
public final class LocalRanks {
    private static final System.Logger LOG = System.getLogger(LocalRanks.class.getName());

    /** Between two looks at whether the ranks were ended. */
    private static final long LOOK_MILLIS = 100;

    private final int size;
    private final Options options;

    private record Options(
            boolean areVirtual,
            boolean sendsOnOtherThreads,
            @Nullable Link link,
            @Nullable Long seed,
            Map<Integer, Long> faults) {}

    /**
     * A link between each two ranks.
     *
     * @param latency the time of an empty message
     * @param bytesPerSecond more than 0
     */
    public record Link(Duration latency, double bytesPerSecond) {
        public Link {
            if (latency.isNegative() || !(bytesPerSecond > 0)) {
                throw new IllegalArgumentException("a link with a latency of " + latency + " and " + bytesPerSecond
                        + " bytes/s; expected no negative latency, and a bandwidth above 0");
            }
        }

        long nanos(long bytes) {
            return (long) (bytes * 1e9 / bytesPerSecond);
        }

        long latencyNanos() {
            return latency.toNanos();
        }
    }

    private LocalRanks(int size, Options options) {
        this.size = size;
        this.options = options;
    }

    /**
     * Ranks on threads of the platform.
     *
     * @param size their number, from 1 on
     */
    public static LocalRanks of(int size) {
        if (size < 1) {
            throw new IllegalArgumentException(size + " ranks; expected 1 or more");
        }
        return new LocalRanks(size, new Options(false, false, null, null, Map.of()));
    }

    /** Returns the communicator of a program that has one rank, for the calling thread and others. */
    public static Communicator alone() {
        World world = new World(1, Threads.virtual("rank-helper-"), false, Map.of());
        return RankCommunicator.world(new Endpoint(new LocalTransport(world, 0)));
    }

    /** On virtual threads, for thousands of ranks that communicate more than they compute. */
    public LocalRanks onVirtualThreads() {
        return new LocalRanks(
                size, new Options(true, options.sendsOnOtherThreads, options.link, options.seed, options.faults));
    }

    /**
     * Ranks with bodies that start threads that communicate, too, while the ranks' own threads wait for messages.
     * Deadlocks are not looked for, since a thread that is not known may still send.
     */
    public LocalRanks sendingOnOtherThreads() {
        return new LocalRanks(size, new Options(options.areVirtual, true, options.link, options.seed, options.faults));
    }

    /** With links that take their time. */
    public LocalRanks over(Link link) {
        return new LocalRanks(
                size, new Options(options.areVirtual, options.sendsOnOtherThreads, link, null, options.faults));
    }

    /** With messages of different ranks that arrive in an order drawn from a seed. */
    public LocalRanks inOrderOf(long seed) {
        return new LocalRanks(
                size, new Options(options.areVirtual, options.sendsOnOtherThreads, null, seed, options.faults));
    }

    /**
     * With a rank that fails.
     *
     * @param message the number of the message at which it fails while sending, from 1 on
     */
    public LocalRanks failing(int rank, long message) {
        if (rank < 0 || rank >= size || message < 1) {
            throw new IllegalArgumentException("rank " + rank + " that fails with its message " + message
                    + "; expected a rank from 0 to " + (size - 1) + ", and a message from 1 on");
        }
        Map<Integer, Long> faults = new HashMap<>(options.faults);
        faults.put(rank, message);
        return new LocalRanks(
                size, new Options(options.areVirtual, options.sendsOnOtherThreads, options.link, options.seed, faults));
    }

    /**
     * Runs a program on all ranks, and waits for their ends.
     *
     * @return the results, by rank
     * @throws DeadlockException if all ranks wait for each other
     * @throws AbortedException if a rank failed, with the failure as its cause, or ended all
     * @throws InterruptedException if the calling thread is interrupted; the ranks have ended then
     */
    public <T extends @Nullable Object> List<T> run(RankBody<T> body) throws InterruptedException {
        ThreadFactory helpers = Threads.virtual("rank-helper-");
        World world = new World(size, helpers, !options.sendsOnOtherThreads, options.faults);
        List<RankThread<T>> ranks = new ArrayList<>(size);
        ThreadFactory threads = options.areVirtual ? Threads.virtual("rank-") : Threads.platform("rank-");
        for (int rank = 0; rank < size; rank++) {
            RankCommunicator communicator = RankCommunicator.world(new Endpoint(new LocalTransport(world, rank)));
            ranks.add(new RankThread<>(world, communicator, body, threads));
        }
        Carrier carrier = carrier(world);
        if (carrier != null) {
            world.setCarrier(carrier);
        }
        try {
            ranks.forEach(RankThread::start);
            join(world, ranks);
        } finally {
            if (carrier != null) {
                carrier.close();
            }
        }
        RankThread.throwFirst(world, ranks);
        for (RankThread<T> each : ranks) {
            for (Envelope left : world.endpoint(each.rank()).unreceived()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "rank " + each.rank() + " has not received a message of rank " + left.source() + " with tag "
                                + left.tag());
            }
        }
        return ranks.stream().map(RankThread::result).toList();
    }

    private @Nullable Carrier carrier(World world) {
        if (options.link != null) {
            return new Delays(world, options.link, Clock.system(), Threads.platform("rank-link-"));
        }
        return options.seed == null ? null : new DrawnOrder(world, options.seed);
    }

    private static <T extends @Nullable Object> void join(World world, List<RankThread<T>> ranks)
            throws InterruptedException {
        boolean interrupted = false;
        for (RankThread<T> each : ranks) {
            while (!each.hasEnded()) {
                try {
                    if (world.aborted() != null) {
                        ranks.forEach(RankThread::interrupt);
                    }
                    each.join(LOOK_MILLIS);
                } catch (InterruptedException e) {
                    interrupted = true;
                    world.abort(0, 1, "the thread that runs the ranks was interrupted", e);
                }
            }
        }
        if (interrupted) {
            throw new InterruptedException("interrupted while ranks ran; they have ended");
        }
    }
}

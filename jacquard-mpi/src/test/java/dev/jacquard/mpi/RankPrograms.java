package dev.jacquard.mpi;

import dev.jacquard.base.foreign.SignalHandlers;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Slice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The random programs of the core on each rank, with real workers, while other threads of the ranks exchange messages.
 * The handlers of signals are the JVM's before and after, and tasks find null pointers and divisions by zero, which the
 * JVM learns by signals.
 */
final class RankPrograms {
    /** Programs of a round. */
    private static final int ROUND = 10;
    /** The first seeds of ranks differ by this. */
    private static final long SEEDS = 1_000_000;

    private static final int FAULTS = 2_000;
    private static final int TASKS = 8;

    private final Communicator comm;
    private final SignalHandlers before;
    private final AtomicBoolean over = new AtomicBoolean();

    /**
     * Programs.
     *
     * @param before the handlers from before MPI
     */
    RankPrograms(Communicator comm, SignalHandlers before) {
        this.comm = comm;
        this.before = before;
    }

    /** Runs rounds until the time is over, at least one, and prints their number on each rank. */
    void run(Duration time) throws Exception {
        Communicator messages = comm.duplicate("messages");
        FutureTask<Long> exchange = new FutureTask<>(() -> exchange(messages));
        Thread.ofPlatform().start(exchange);
        Path folder = Files.createTempDirectory("rank-programs");
        long rounds = 0;
        try {
            long begin = System.nanoTime();
            int[] goesOn = {1};
            while (goesOn[0] == 1) {
                Slice.run(comm.rank() * SEEDS + rounds * ROUND, ROUND, 1, List.of(), folder);
                requireFaults();
                requireHandlers();
                rounds++;
                goesOn[0] = System.nanoTime() - begin < time.toNanos() ? 1 : 0;
                comm.allreduce(Elements.of(goesOn), Reduction.min());
            }
        } finally {
            over.set(true);
            delete(folder);
        }
        if (exchange.get() == 0) {
            throw new IllegalStateException("no messages were exchanged");
        }
        System.out.println("rank " + comm.rank() + " has run " + rounds * ROUND + " programs");
    }

    /** Returns the number of exchanges until all ranks are over. */
    private long exchange(Communicator messages) throws InterruptedException {
        long[] isOver = {0};
        long count = 0;
        while (isOver[0] == 0) {
            isOver[0] = over.get() ? 1 : 0;
            messages.allreduce(Elements.of(isOver), Reduction.min());
            count++;
        }
        messages.close();
        return count;
    }

    private void requireHandlers() {
        if (!before.changed().isEmpty()) {
            throw new IllegalStateException("the handlers of signals " + before.changed() + " are no longer the JVM's");
        }
    }

    private static void requireFaults() {
        try (Session session = Session.open()) {
            TaskGraph graph = session.graph();
            List<Task<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < TASKS; i++) {
                tasks.add(graph.task("faults-" + i).call(ctx -> faults()));
            }
            for (Task<Integer> each : tasks) {
                int caught = each.join();
                if (caught != 2 * FAULTS) {
                    throw new IllegalStateException(
                            "a task has caught " + caught + " of " + 2 * FAULTS + " exceptions");
                }
            }
        }
    }

    /** Returns the number of exceptions of null pointers and divisions by zero. */
    private static int faults() {
        int caught = 0;
        for (int i = 0; i < FAULTS; i++) {
            caught += isFault(() -> length(null)) + isFault(() -> quotient(1, 0));
        }
        return caught;
    }

    private static int isFault(Callable<Integer> action) {
        try {
            return action.call() & 0;
        } catch (NullPointerException | ArithmeticException e) {
            return 1;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("NullAway") // the exception is the purpose
    private static int length(int @Nullable [] array) {
        return array.length;
    }

    private static int quotient(int dividend, int divisor) {
        return dividend / divisor;
    }

    private static void delete(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(each);
            }
        }
    }
}

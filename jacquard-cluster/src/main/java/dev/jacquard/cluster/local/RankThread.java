package dev.jacquard.cluster.local;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.DeadlockException;
import dev.jacquard.cluster.message.RankCommunicator;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a rank.
 *
 * <p>Threads: the result and the failure are written by the rank's thread, and read by others after its end.
 *
 * @param <T> the result of its body
 */
final class RankThread<T extends @Nullable Object> {
    private final World world;
    private final RankCommunicator communicator;
    private final RankBody<T> body;
    private final Thread thread;

    private @Nullable T result;
    private @Nullable Throwable failure;

    RankThread(World world, RankCommunicator communicator, RankBody<T> body, ThreadFactory threads) {
        this.world = world;
        this.communicator = communicator;
        this.body = body;
        this.thread = threads.newThread(this::run);
    }

    int rank() {
        return communicator.rank();
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            world.enter();
            result = body.run(communicator);
        } catch (Throwable e) {
            failure = e;
            if (!(e instanceof DeadlockException)) {
                world.abort(rank(), 1, e.toString(), e);
            }
        } finally {
            world.end();
        }
    }

    boolean hasEnded() {
        return thread.getState() == Thread.State.TERMINATED;
    }

    void join(long millis) throws InterruptedException {
        thread.join(millis);
    }

    void interrupt() {
        thread.interrupt();
    }

    @SuppressWarnings("NullAway") // null only if the body's results may be
    T result() {
        return result;
    }

    /** Throws the exception that has ended the ranks, if they have not ended by themselves. */
    static <T extends @Nullable Object> void throwFirst(World world, List<RankThread<T>> ranks) {
        for (RankThread<T> each : ranks) {
            if (each.failure instanceof DeadlockException e) {
                throw new DeadlockException(String.valueOf(e.getMessage()));
            }
        }
        AbortedException aborted = world.aborted();
        if (aborted != null) {
            throw aborted;
        }
    }
}

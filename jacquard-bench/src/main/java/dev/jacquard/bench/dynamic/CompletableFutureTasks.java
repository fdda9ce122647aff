package dev.jacquard.bench.dynamic;

import dev.jacquard.core.clock.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * A future per task, with explicit edges. Submitted by a thread of the pool, so that no more threads than asked for run.
 */
final class CompletableFutureTasks extends TaskContender {
    private static final CompletableFuture<@Nullable Void> START = CompletableFuture.completedFuture(null);

    private final ForkJoinPool pool;

    CompletableFutureTasks(int workers, Shape shape, Clock clock) {
        super("completablefuture", workers, shape, clock);
        pool = new ForkJoinPool(workers);
    }

    @Override
    void runAll(Shape tasks, Board.Body[] bodies) {
        CompletableFuture<?>[] leaves =
                CompletableFuture.supplyAsync(() -> submit(tasks, bodies), pool).join();
        CompletableFuture.allOf(leaves).join();
    }

    /** Answers the futures that no other comes after. */
    private CompletableFuture<?>[] submit(Shape tasks, Board.Body[] bodies) {
        CompletableFuture<?>[] futures = new CompletableFuture<?>[bodies.length];
        for (int task = 0; task < futures.length; task++) {
            int left = tasks.afterLeft()[task];
            int up = tasks.afterUp()[task];
            if (left == Shape.NONE || up == Shape.NONE) {
                int after = Math.max(left, up);
                CompletableFuture<?> earlier = after == Shape.NONE ? START : futures[after];
                futures[task] = earlier.thenRunAsync(bodies[task], pool);
            } else {
                futures[task] = futures[left].runAfterBothAsync(futures[up], bodies[task], pool);
            }
        }
        int[] leaves = tasks.leaves();
        CompletableFuture<?>[] last = new CompletableFuture<?>[leaves.length];
        for (int i = 0; i < last.length; i++) {
            last[i] = futures[leaves[i]];
        }
        return last;
    }

    @Override
    public void close() {
        pool.close();
    }
}

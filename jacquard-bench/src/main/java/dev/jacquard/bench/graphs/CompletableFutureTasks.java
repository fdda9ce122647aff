package dev.jacquard.bench.graphs;

import dev.jacquard.bench.graphs.Shape.Work;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * A future per task, with explicit edges. Submitted by a thread of the pool, so that no more threads than asked for
 * run.
 */
final class CompletableFutureTasks implements Shape.Runner {
    private static final CompletableFuture<@Nullable Void> START = CompletableFuture.completedFuture(null);

    private final Shape shape;
    private final Work work;
    private final ForkJoinPool pool;
    private final int[] leaves;

    CompletableFutureTasks(int workers, Shape shape, Work work) {
        this.shape = shape;
        this.work = work;
        pool = new ForkJoinPool(workers);
        leaves = shape.later().withNone();
    }

    @Override
    public void run() {
        CompletableFuture<?>[] last =
                CompletableFuture.supplyAsync(this::submit, pool).join();
        CompletableFuture.allOf(last).join();
    }

    /** Answers the futures that no other comes after. */
    private CompletableFuture<?>[] submit() {
        Shape.Lists earlier = shape.earlier();
        Work its = work;
        CompletableFuture<?>[] futures = new CompletableFuture<?>[earlier.tasks()];
        for (int next = 0; next < futures.length; next++) {
            int task = next;
            Runnable body = () -> its.run(task);
            futures[task] = switch (earlier.count(task)) {
                case 0 -> START.thenRunAsync(body, pool);
                case 1 -> futures[earlier.get(task, 0)].thenRunAsync(body, pool);
                case 2 -> futures[earlier.get(task, 0)].runAfterBothAsync(futures[earlier.get(task, 1)], body, pool);
                default -> CompletableFuture.allOf(some(futures, earlier, task)).thenRunAsync(body, pool);
            };
        }
        CompletableFuture<?>[] last = new CompletableFuture<?>[leaves.length];
        for (int i = 0; i < last.length; i++) {
            last[i] = futures[leaves[i]];
        }
        return last;
    }

    private static CompletableFuture<?>[] some(CompletableFuture<?>[] futures, Shape.Lists earlier, int task) {
        CompletableFuture<?>[] some = new CompletableFuture<?>[earlier.count(task)];
        for (int i = 0; i < some.length; i++) {
            some[i] = futures[earlier.get(task, i)];
        }
        return some;
    }

    @Override
    public void close() {
        pool.close();
    }
}

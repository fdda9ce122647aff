package dev.jacquard.bench.graphs;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.bench.graphs.Shape.Work;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import org.jspecify.annotations.Nullable;

/**
 * The program that a programmer with the graph at hand writes on ForkJoinPool: a counter per task, and edges to its
 * successors. The graph is made again each round, as it is by the others, by a thread of the pool.
 */
final class ForkJoinTasks implements Shape.Runner {
    private final Shape shape;
    private final Work work;
    private final ForkJoinPool pool;
    private final int leaves;

    ForkJoinTasks(int workers, Shape shape, Work work) {
        this.shape = shape;
        this.work = work;
        pool = new ForkJoinPool(workers);
        leaves = shape.later().withNone().length;
    }

    @Override
    public void run() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(leaves);
        pool.execute(() -> submit(over));
        over.await();
    }

    private void submit(CountDownLatch over) {
        Shape.Lists earlier = shape.earlier();
        Node[] nodes = new Node[earlier.tasks()];
        for (int task = 0; task < nodes.length; task++) {
            int predecessors = earlier.count(task);
            Node node = new Node(work, task, predecessors, over);
            nodes[task] = node;
            for (int i = 0; i < predecessors; i++) {
                nodes[earlier.get(task, i)].precede(node);
            }
        }
        for (int task = 0; task < nodes.length; task++) {
            if (earlier.count(task) == 0) {
                nodes[task].fork();
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class Node extends RecursiveAction {
        private static final long serialVersionUID = 1;
        private static final Node[] NOBODY = {};
        private static final int MORE = 4;

        private static final VarHandle WAITING = Fields.handle(MethodHandles.lookup(), "waiting", int.class);

        private final transient Work work;
        private final int task;
        private final transient CountDownLatch over;
        /**
         * Most tasks have two successors at most; the others have them in an array. All set before the first task is
         * forked.
         */
        private @Nullable Node first;

        private @Nullable Node second;
        private @Nullable Node[] further = NOBODY;
        private int furthers;

        @SuppressWarnings("UnusedVariable") // read through WAITING
        private int waiting;

        Node(Work work, int task, int waiting, CountDownLatch over) {
            this.work = work;
            this.task = task;
            this.waiting = waiting;
            this.over = over;
        }

        void precede(Node later) {
            if (first == null) {
                first = later;
            } else if (second == null) {
                second = later;
            } else {
                if (furthers == further.length) {
                    further = Arrays.copyOf(further, furthers + MORE);
                }
                further[furthers++] = later;
            }
        }

        /** Runs on with the first task that this one makes ready, and forks the others. */
        @Override
        protected void compute() {
            for (@Nullable Node node = this; node != null; ) {
                node.work.run(node.task);
                if (node.first == null) {
                    over.countDown();
                    return;
                }
                Node next = node.first.isLast() ? node.first : null;
                next = either(next, node.second);
                for (int i = 0; i < node.furthers; i++) {
                    next = either(next, node.further[i]);
                }
                node = next;
            }
        }

        /**
         * Returns the node to run next, where {@code chosen}, or null, was chosen before; a second ready one is forked.
         */
        private static @Nullable Node either(@Nullable Node chosen, @Nullable Node successor) {
            if (successor == null || !successor.isLast()) {
                return chosen;
            }
            if (chosen == null) {
                return successor;
            }
            successor.fork();
            return chosen;
        }

        /**
         * Returns true for the last count. A thread that sees that all others have counted down has the counter to
         * itself.
         */
        private boolean isLast() {
            return (int) WAITING.getAcquire(this) == 1 || (int) WAITING.getAndAdd(this, -1) == 1;
        }
    }
}

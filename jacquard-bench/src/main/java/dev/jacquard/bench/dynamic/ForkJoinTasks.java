package dev.jacquard.bench.dynamic;

import dev.jacquard.core.clock.Clock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import org.jspecify.annotations.Nullable;

/**
 * What a programmer who knows the graph writes by hand on ForkJoinPool: a counter per task, and edges to who comes next. The
 * graph is made anew each round, as it is by the others, by a thread of the pool.
 */
final class ForkJoinTasks extends TaskContender {
    private final ForkJoinPool pool;

    ForkJoinTasks(int workers, Shape shape, Clock clock) {
        super("forkjoin", workers, shape, clock);
        pool = new ForkJoinPool(workers);
    }

    @Override
    void runAll(Shape tasks, Board.Body[] bodies) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(tasks.leaves().length);
        pool.execute(() -> submit(tasks, bodies, over));
        over.await();
    }

    private static void submit(Shape tasks, Board.Body[] bodies, CountDownLatch over) {
        Node[] nodes = new Node[bodies.length];
        for (int task = 0; task < nodes.length; task++) {
            Node node = new Node(bodies[task], tasks.predecessors(task), over);
            nodes[task] = node;
            int left = tasks.afterLeft()[task];
            int up = tasks.afterUp()[task];
            if (left != Shape.NONE) {
                nodes[left].precede(node);
            }
            if (up != Shape.NONE) {
                nodes[up].precede(node);
            }
        }
        for (int task = 0; task < nodes.length; task++) {
            if (tasks.predecessors(task) == 0) {
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

        private static final VarHandle WAITING;

        static {
            try {
                WAITING = MethodHandles.lookup().findVarHandle(Node.class, "waiting", int.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final transient Board.Body body;
        private final transient CountDownLatch over;
        private @Nullable Node first;
        private @Nullable Node second;
        private int waiting;

        Node(Board.Body body, int waiting, CountDownLatch over) {
            this.body = body;
            this.waiting = waiting;
            this.over = over;
        }

        void precede(Node later) {
            if (first == null) {
                first = later;
            } else {
                second = later;
            }
        }

        /** Runs on with the first task that this one makes ready, and forks the other. */
        @Override
        protected void compute() {
            for (@Nullable Node node = this; node != null; ) {
                node.body.run();
                Node one = node.first;
                Node other = node.second;
                if (one == null) {
                    over.countDown();
                    return;
                }
                Node next = one.isLast() ? one : null;
                if (other != null && other.isLast()) {
                    if (next == null) {
                        next = other;
                    } else {
                        other.fork();
                    }
                }
                node = next;
            }
        }

        private boolean isLast() {
            return waiting == 1 || (int) WAITING.getAndAdd(this, -1) == 1;
        }
    }
}

package dev.jacquard.bench.graphs;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.bench.graphs.Shape.Work;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The program that a programmer with the graph at hand writes on ForkJoinPool: nodes that are made once, with a counter
 * and an array of successors; the first ready successor runs on without a queue. No failure handling, names or
 * cancellation.
 */
final class ForkJoinGraph implements Shape.Runner {
    private final ForkJoinPool pool;
    private final Run run;

    /** See {@link Shape.Maker}. */
    public ForkJoinGraph(int workers, Shape shape, Work work) {
        pool = new ForkJoinPool(workers);
        run = new Run(shape, work);
    }

    @Override
    public void run() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        pool.execute(() -> run.start(over));
        over.await();
    }

    @Override
    public void close() {
        pool.close();
    }

    /** The graph, and the state of its one run at a time. */
    private static final class Run {
        private final Node[] roots;
        private final int leaves;
        private final AtomicInteger unended = new AtomicInteger();
        /** Written by the run's first task; the others see it through the pool's queues. */
        private @Nullable CountDownLatch over;

        Run(Shape shape, Work work) {
            Node[] nodes = new Node[shape.tasks()];
            for (int task = 0; task < nodes.length; task++) {
                nodes[task] = new Node(this, work, task, shape.earlier().count(task));
            }
            Shape.Lists later = shape.later();
            for (int task = 0; task < nodes.length; task++) {
                nodes[task].successors = new Node[later.count(task)];
                for (int i = 0; i < later.count(task); i++) {
                    nodes[task].successors[i] = nodes[later.get(task, i)];
                }
            }
            int[] first = shape.earlier().withNone();
            roots = new Node[first.length];
            for (int i = 0; i < roots.length; i++) {
                roots[i] = nodes[first[i]];
            }
            leaves = later.withNone().length;
        }

        void start(CountDownLatch latch) {
            over = latch;
            unended.setPlain(leaves);
            for (Node root : roots) {
                root.fork();
            }
        }

        void ended() {
            if (unended.decrementAndGet() == 0 && over != null) {
                over.countDown();
            }
        }
    }

    /** A task; it never becomes done in the pool's eyes, so that it can be forked again. */
    private static final class Node extends ForkJoinTask<@Nullable Void> {
        private static final long serialVersionUID = 1;
        private static final VarHandle WAITING = Fields.handle(MethodHandles.lookup(), "waiting", int.class);

        private final transient Run run;
        private final transient Work work;
        private final int task;
        private final int predecessors;
        /** Set before the first run. */
        private Node[] successors = {};
        /**
         * Counted down by predecessors; set again by the thread that runs the node, which is ordered before the next
         * run.
         */
        @SuppressWarnings("UnusedVariable") // read through WAITING
        private int waiting;

        Node(Run run, Work work, int task, int predecessors) {
            this.run = run;
            this.work = work;
            this.task = task;
            this.predecessors = predecessors;
            this.waiting = predecessors;
        }

        /** Runs on with the first task that this one makes ready, and forks the others. */
        @Override
        protected boolean exec() {
            for (Node node = this; node != null; ) {
                node.waiting = node.predecessors;
                node.work.run(node.task);
                if (node.successors.length == 0) {
                    run.ended();
                    return false;
                }
                Node next = null;
                for (Node successor : node.successors) {
                    if (successor.isLast()) {
                        if (next == null) {
                            next = successor;
                        } else {
                            successor.fork();
                        }
                    }
                }
                node = next;
            }
            return false;
        }

        /**
         * Returns true for the last count. A thread that sees that all others have counted down has the counter to
         * itself.
         */
        private boolean isLast() {
            return (int) WAITING.getAcquire(this) == 1 || (int) WAITING.getAndAdd(this, -1) == 1;
        }

        @Override
        public @Nullable Void getRawResult() {
            return null;
        }

        @Override
        protected void setRawResult(@Nullable Void value) {}
    }
}

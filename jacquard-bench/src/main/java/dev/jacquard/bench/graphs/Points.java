package dev.jacquard.bench.graphs;

import dev.jacquard.bench.graphs.Shape.Work;
import java.util.Arrays;

/**
 * Task Bench's task: checks the values of its inputs, writes its step and its point into its own 16 bytes, then
 * computes.
 *
 * <p>Outputs are plain: their order is the system's business, and shows.
 */
final class Points implements Work {
    private static final int LONGS = 2;

    private final Pattern.Tasks tasks;
    private final Shape.Lists reads;
    private final long[] outputs;
    /** Written between rounds, by the thread that starts them. */
    private long iterations;
    /** Written by any task, read after a round. */
    private volatile boolean wrong;

    Points(Pattern.Tasks tasks) {
        this.tasks = tasks;
        this.reads = tasks.shape().reads();
        this.outputs = new long[LONGS * tasks.shape().tasks()];
    }

    /** Prepares a round with tasks that run the kernel for {@code kernelIterations} iterations. */
    void prepare(long kernelIterations) {
        Arrays.fill(outputs, -1);
        iterations = kernelIterations;
    }

    @Override
    public void run(int task) {
        int step = tasks.step()[task];
        int inputs = reads.count(task);
        for (int i = 0; i < inputs; i++) {
            int input = reads.get(task, i);
            if (outputs[LONGS * input] != step - 1 || outputs[LONGS * input + 1] != tasks.point()[input]) {
                wrong = true;
            }
        }
        outputs[LONGS * task] = step;
        outputs[LONGS * task + 1] = tasks.point()[task];
        if (ComputeBound.run(iterations) == 0) {
            wrong = true;
        }
    }

    /** Returns true if every task ran, and none before its inputs were there. */
    boolean isRight() {
        for (int task = 0; task < tasks.shape().tasks(); task++) {
            if (outputs[LONGS * task] != tasks.step()[task] || outputs[LONGS * task + 1] != tasks.point()[task]) {
                return false;
            }
        }
        return !wrong;
    }
}

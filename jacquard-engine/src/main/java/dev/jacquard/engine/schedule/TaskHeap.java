package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The task with the highest rank first; of equal ones that submitted first, or pushed first where that is not known. A
 * binary heap in arrays that grow: allocates nothing per task. Threads: one call at a time.
 */
abstract class TaskHeap implements ReadyOrder {
    private @Nullable ReadyTask[] tasks = new @Nullable ReadyTask[16];
    private int[] priorities = new int[16];
    private double[] weights = new double[16];
    private long[] numbers = new long[16];
    private int size;
    private long pushed;

    /** Decides between tasks of equal {@link #priority}: higher first. Asked once, when the task is pushed. */
    abstract double weight(ReadyTask task);

    /** Decides first: higher first. Asked once, when the task is pushed. */
    int priority(ReadyTask task) {
        return task.priority();
    }

    @Override
    public void push(ReadyTask task) {
        if (size == tasks.length) {
            int more = 2 * size;
            tasks = Arrays.copyOf(tasks, more);
            priorities = Arrays.copyOf(priorities, more);
            weights = Arrays.copyOf(weights, more);
            numbers = Arrays.copyOf(numbers, more);
        }
        long number = task.id() >= 0 ? task.id() : pushed;
        pushed++;
        place(size, task, priority(task), weight(task), number);
        rise(size++);
    }

    @Override
    public @Nullable ReadyTask pop(int worker) {
        if (size == 0) {
            return null;
        }
        ReadyTask first = tasks[0];
        size--;
        place(0, tasks[size], priorities[size], weights[size], numbers[size]);
        tasks[size] = null;
        sink(0);
        return first;
    }

    private void place(int at, @Nullable ReadyTask task, int priority, double weight, long number) {
        tasks[at] = task;
        priorities[at] = priority;
        weights[at] = weight;
        numbers[at] = number;
    }

    private boolean isBefore(int one, int other) {
        if (priorities[one] != priorities[other]) {
            return priorities[one] > priorities[other];
        }
        int byWeight = Double.compare(weights[one], weights[other]);
        return byWeight != 0 ? byWeight > 0 : numbers[one] < numbers[other];
    }

    private void rise(int from) {
        for (int at = from, above = (at - 1) / 2; at > 0 && isBefore(at, above); at = above, above = (at - 1) / 2) {
            swap(at, above);
        }
    }

    private void sink(int from) {
        int at = from;
        while (true) {
            int best = at;
            for (int below = 2 * at + 1; below <= 2 * at + 2 && below < size; below++) {
                best = isBefore(below, best) ? below : best;
            }
            if (best == at) {
                return;
            }
            swap(at, best);
            at = best;
        }
    }

    private void swap(int one, int other) {
        ReadyTask task = tasks[one];
        int priority = priorities[one];
        double weight = weights[one];
        long number = numbers[one];
        place(one, tasks[other], priorities[other], weights[other], numbers[other]);
        place(other, task, priority, weight, number);
    }
}

package dev.jacquard.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ready tasks that were placed, by place, in the order of their placement. Threads: confined to one run. */
final class SentTasks {
    private final List<Deque<SimTask>> queues = new ArrayList<>();
    /** By place: the expected nanoseconds of the tasks that wait. */
    private final double[] nanos;

    private int size;

    SentTasks(int places) {
        this.nanos = new double[places];
        for (int place = 0; place < places; place++) {
            queues.add(new ArrayDeque<>());
        }
    }

    void add(SimTask task, int place) {
        queues.get(place).add(task);
        nanos[place] += task.load();
        size++;
    }

    @Nullable
    SimTask poll(int place) {
        SimTask task = size == 0 ? null : queues.get(place).poll();
        if (task != null) {
            nanos[place] -= task.load();
            size--;
        }
        return task;
    }

    int size(int place) {
        return queues.get(place).size();
    }

    double nanos(int place) {
        return nanos[place];
    }

    /** Returns true if no task waits at any place. */
    boolean isEmpty() {
        return size == 0;
    }
}

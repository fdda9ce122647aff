package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import org.jspecify.annotations.Nullable;

/** First in, first out, in an array that grows. Allocates nothing per task. Threads: one call at a time. */
final class TaskRing implements ReadyOrder {
    private @Nullable ReadyTask[] slots = new @Nullable ReadyTask[16];
    private int head;
    private int size;

    @Override
    public void push(ReadyTask task) {
        if (size == slots.length) {
            grow();
        }
        slots[(head + size++) & (slots.length - 1)] = task;
    }

    @Override
    public @Nullable ReadyTask pop(int worker) {
        if (size == 0) {
            return null;
        }
        ReadyTask task = slots[head];
        slots[head] = null;
        head = (head + 1) & (slots.length - 1);
        size--;
        return task;
    }

    private void grow() {
        @Nullable ReadyTask[] larger = new @Nullable ReadyTask[2 * slots.length];
        int first = slots.length - head;
        System.arraycopy(slots, head, larger, 0, first);
        System.arraycopy(slots, 0, larger, first, head);
        slots = larger;
        head = 0;
    }
}

package dev.jacquard.core.examples;

import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** The order of the documentation's example: the task that became ready last runs first. */
@SuppressWarnings("missing-explicit-ctor")
public final class Lifo implements ReadyOrder {
    private final ConcurrentLinkedDeque<ReadyTask> ready = new ConcurrentLinkedDeque<>();

    @Override
    public void push(ReadyTask task) {
        ready.push(task);
    }

    @Override
    public @Nullable ReadyTask pop(int worker) {
        return ready.pollFirst();
    }
}

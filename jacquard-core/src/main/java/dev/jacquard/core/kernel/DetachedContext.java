package dev.jacquard.core.kernel;

import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import java.util.List;
import java.util.function.Function;

/**
 * The context of a host implementation that no worker runs: it runs on an emulated device, or computes lost data again.
 * Confined to its thread.
 */
final class DetachedContext implements KernelContext {
    private final String task;
    private final List<View> data;
    private final Function<View, Memory> memories;

    DetachedContext(String task, List<View> data, Function<View, Memory> memories) {
        this.task = task;
        this.data = data;
        this.memories = memories;
    }

    @Override
    public Memory memory(View part) {
        return memories.apply(part);
    }

    @Override
    public Memory memory(String name) {
        List<View> found =
                data.stream().filter(view -> view.data().name().equals(name)).toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    "task \"" + task + "\" accesses " + found.size() + " parts of data called \"" + name + '"');
        }
        return memory(found.getFirst());
    }

    @Override
    public void parallelFor(long from, long to, long grain, int helpers, RangeBody body) throws Exception {
        if (from < to) {
            body.run(from, to);
        }
    }

    @Override
    public String name() {
        return task;
    }

    @Override
    public boolean cancelled() {
        return false;
    }
}

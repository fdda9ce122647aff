package dev.jacquard.core.graph;

import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The context of a host body that no worker runs: the body runs on an emulated device, or computes lost data again. It
 * offers the task's data, name and loops; every other request is refused with an exception. Confined to its thread.
 */
final class DetachedContext implements TaskContext {
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
    public <T> T get(Handle<T> handle) {
        throw refused("takes the value of \"" + handle.name() + '"');
    }

    @Override
    public <T> T get(String handle, Class<T> type) {
        throw refused("takes the value of \"" + handle + '"');
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
    public void refine(Consumer<? super Tasks> submission) {
        throw refused("refines");
    }

    @Override
    public void afterwards(TaskBody rest) {
        throw refused("leaves something to do afterwards");
    }

    @Override
    public void demote(Resource resource, Access to) {
        throw refused("demotes an access");
    }

    private UnsupportedOperationException refused(String what) {
        return new UnsupportedOperationException("task \"" + task + "\" " + what
                + ", and has only its arguments here: on an emulated device, or where what was lost"
                + " is computed once more");
    }

    @Override
    public void parallelFor(long from, long to, long grain, RangeBody body) throws Exception {
        if (from < to) {
            body.run(from, to);
        }
    }

    @Override
    public String name() {
        return task;
    }

    @Override
    public int worker() {
        return 0;
    }

    @Override
    public boolean cancelled() {
        return false;
    }
}

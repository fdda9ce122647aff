package dev.jacquard.core.kernel;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.DeviceWork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of a task on a device. Its arguments are also found by the names of the kernel's parameters. Confined to the
 * thread that enqueues it.
 */
record NamedWork(DeviceWork work, Parameters parameters) implements DeviceWork {
    /** Returns a body that finds its arguments also by the names of {@code parameters}, if there are any. */
    static DeviceBody body(DeviceBody body, @Nullable Parameters parameters) {
        return parameters == null ? body : new NamedBody(body, parameters);
    }

    /** A body that finds its arguments by name. */
    private record NamedBody(DeviceBody body, Parameters parameters) implements DeviceBody {
        @Override
        public void enqueue(DeviceWork work) throws Exception {
            body.enqueue(new NamedWork(work, parameters));
        }

        @Override
        public void requireFits(String task, List<Object> numbers, List<View> data) {
            body.requireFits(task, numbers, data);
        }

        @Override
        public boolean isBatchable() {
            return body.isBatchable();
        }
    }

    @Override
    public String name() {
        return work.name();
    }

    @Override
    public DeviceStream stream() {
        return work.stream();
    }

    @Override
    public List<Object> arguments() {
        return work.arguments();
    }

    @Override
    public Layout layout(int index) {
        return work.layout(index);
    }

    @Override
    public View data(int index) {
        return work.data(index);
    }

    @Override
    public int batch() {
        return work.batch();
    }

    @Override
    public View data(int index, int item) {
        return work.data(index, item);
    }

    @Override
    public int index(String name) {
        int index = parameters.indexOf(name);
        return index < 0 ? work.index(name) : index;
    }

    @Override
    public long items() {
        return work.items();
    }
}

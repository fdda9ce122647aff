package dev.jacquard.core.kernel;

import dev.jacquard.core.kernel.Kernel.HostBody;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceWork;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's implementation for the host that runs on emulated devices: in their memory, on their streams, in their
 * time. There the body has only its arguments.
 *
 * @param kernel the name of the kernel, for messages
 * @param parameters the parameters; the body finds its arguments by their names; null for none
 * @param body the implementation
 */
record EmulatedHostBody(String kernel, @Nullable Parameters parameters, HostBody body) implements DeviceBody {
    @Override
    public void enqueue(DeviceWork work) {
        if (!(work.stream() instanceof EmulatedStream stream)) {
            throw new IllegalArgumentException("kernel \"" + kernel + "\" is for the host and emulated devices, and "
                    + work.stream().device().name() + " is neither");
        }
        String task = work.name();
        List<Object> arguments = work.arguments();
        List<Object> numbers = new ArrayList<>();
        List<List<View>> items = Stream.generate(() -> (List<View>) new ArrayList<View>())
                .limit(work.batch())
                .toList();
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i) instanceof DeviceBuffer) {
                for (int item = 0; item < items.size(); item++) {
                    items.get(item).add(work.data(i, item));
                }
            } else {
                numbers.add(arguments.get(i));
            }
        }
        stream.run(
                kernel,
                launch -> {
                    for (int item = 0; item < items.size(); item++) {
                        run(task, launch, numbers, items.get(item), item);
                    }
                },
                arguments);
    }

    /** Returns true: a launch runs the body once for each item. */
    @Override
    public boolean isBatchable() {
        return true;
    }

    private void run(String task, EmulatedBody.Launch launch, List<Object> numbers, List<View> data, int item)
            throws Exception {
        List<Memory> memories = new ArrayList<>();
        for (int i = 0; i < data.size(); i++) {
            memories.add(memory(launch, numbers.size() + i, data.get(i), item));
        }
        KernelContext context = new DetachedContext(task, data, view -> find(task, view, data, memories));
        body.run(new HostArguments(parameters, numbers, data, context));
    }

    /** Returns the device's memory of {@code part} for an item of the batch: all of the part, without gaps. */
    private static Memory memory(EmulatedBody.Launch launch, int index, View part, int item) {
        Layout layout = part.data().layout().packed(part.box());
        return new Memory(launch.memory(index).asSlice(item * layout.bytes(), layout.bytes()), layout);
    }

    private static Memory find(String task, View part, List<View> data, List<Memory> memories) {
        int exactly = data.indexOf(part);
        if (exactly >= 0) {
            return memories.get(exactly);
        }
        for (int i = 0; i < data.size(); i++) {
            View its = data.get(i);
            if (its.data() == part.data() && its.box().contains(part.box())) {
                return memories.get(i).part(part.box().relativeTo(its.box()));
            }
        }
        throw new IllegalArgumentException(
                "task \"" + task + "\" touches " + part + ", and declared " + data + ": declare what it touches");
    }
}

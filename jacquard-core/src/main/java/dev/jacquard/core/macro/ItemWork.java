package dev.jacquard.core.macro;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.DeviceWork;
import java.util.List;
import java.util.stream.IntStream;

/** The work of one item, or of a batch of them, in a stream. Confined to the thread that enqueues it. */
record ItemWork(DeviceStream stream, List<Object> arguments, List<ItemCall> calls) implements DeviceWork {
    private ItemCall first() {
        return calls.getFirst();
    }

    /** Returns the number of the part that argument {@code index} is. */
    private int part(int index) {
        int numbers = first().numbers().size();
        if (index < numbers || index >= arguments.size()) {
            throw new IndexOutOfBoundsException(name() + " has data at arguments " + numbers + " to "
                    + (arguments.size() - 1) + ", and none at " + index);
        }
        return index - numbers;
    }

    @Override
    public String name() {
        return first().name();
    }

    @Override
    public Layout layout(int index) {
        Layout one = first().layout(part(index));
        if (calls.size() == 1) {
            return one;
        }
        return Layout.of(
                one.type(),
                IntStream.range(-1, one.dimensions())
                        .mapToLong(d -> d < 0 ? calls.size() : one.extent(d))
                        .toArray());
    }

    @Override
    public View data(int index) {
        return data(index, 0);
    }

    @Override
    public int batch() {
        return calls.size();
    }

    @Override
    public View data(int index, int item) {
        return calls.get(item).parts().get(part(index));
    }

    @Override
    public int index(String name) {
        List<View> parts = first().parts();
        int[] found = IntStream.range(0, parts.size())
                .filter(i -> parts.get(i).data().name().equals(name))
                .toArray();
        if (found.length != 1) {
            throw new IllegalArgumentException(
                    name() + " accesses " + found.length + " parts of data called \"" + name + '"');
        }
        return found[0] + first().numbers().size();
    }

    @Override
    public long items() {
        List<View> parts = first().parts();
        return parts.isEmpty() ? 0 : parts.getLast().box().elements() * calls.size();
    }
}

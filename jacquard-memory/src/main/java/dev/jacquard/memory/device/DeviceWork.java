package dev.jacquard.memory.device;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import java.util.List;

/** A task on a device, as its body sees it. Valid while {@link DeviceBody#enqueue} runs, and for that thread. */
public interface DeviceWork {
    /** The task's name. */
    String name();

    /** Returns the stream of its operations. */
    DeviceStream stream();

    /**
     * The numbers that the task was given, then the memory of each of its data, in the order of the kernel's
     * parameters, or else of the task's accesses: {@link Integer}, {@link Long}, {@link Float}, {@link Double},
     * {@link DeviceBuffer}.
     */
    List<Object> arguments();

    /**
     * Returns the layout of argument {@code index}, a buffer. In a batch of several items its first dimension is the
     * item.
     */
    Layout layout(int index);

    /**
     * Which part of which data argument {@code index} is.
     *
     * @throws IndexOutOfBoundsException when it is a number, or there is none
     */
    View data(int index);

    /**
     * Returns the number of items of which each buffer has the parts, one after the other: more than 1 only for a body
     * that {@linkplain DeviceBody#isBatchable is batchable}.
     */
    default int batch() {
        return 1;
    }

    /**
     * Which part of which data argument {@code index} is for an item of the batch, counted from 0. {@link #data(int)}
     * is that of the first. Throws like {@link #data(int)}.
     */
    default View data(int index, int item) {
        return data(index);
    }

    /**
     * Which argument has that name: of the kernel's parameter, or else of the data itself.
     *
     * @throws IllegalArgumentException when there is none, or more than one
     */
    int index(String name);

    /** The number of that name; throws like {@link #index}, also when it is data. */
    default Number number(String name) {
        if (!(arguments().get(index(name)) instanceof Number number)) {
            throw new IllegalArgumentException("task \"" + name() + "\" has data as \"" + name + "\", and no number");
        }
        return number;
    }

    /** The memory of the data of that name; throws like {@link #index}, also when it is a number. */
    default DeviceBuffer buffer(String name) {
        if (!(arguments().get(index(name)) instanceof DeviceBuffer buffer)) {
            throw new IllegalArgumentException("task \"" + name() + "\" has a number as \"" + name + "\", and no data");
        }
        return buffer;
    }

    /** Returns the layout of the data of that name in its memory; throws like {@link #buffer}. */
    default Layout layout(String name) {
        buffer(name);
        return layout(index(name));
    }

    /** Returns the number of elements of the last data, of the whole batch: usually the items of a kernel. */
    long items();
}

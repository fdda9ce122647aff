package dev.jacquard.expressions.tree;

import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceWork;
import java.lang.foreign.MemorySegment;

/**
 * A part of a field in the memory of a device.
 *
 * @param place of the point (0, 0, 0), in bytes, which may be outside of the memory
 */
record DevicePart(DeviceBuffer memory, Binding.Place place) {
    /** Returns the part of a field that a task was given. */
    static DevicePart of(DeviceWork work, GridField field, View part) {
        Memory memory = new Memory(MemorySegment.NULL, work.layout(index(work, part)));
        return new DevicePart(buffer(work, part), field.place(memory, part.box()));
    }

    /** Returns the memory of some data that a task was given. */
    static DeviceBuffer buffer(DeviceWork work, View part) {
        return (DeviceBuffer) work.arguments().get(index(work, part));
    }

    private static int index(DeviceWork work, View part) {
        for (int i = 0; i < work.arguments().size(); i++) {
            if (work.data(i).equals(part)) {
                return i;
            }
        }
        throw new IllegalStateException("task \"" + work.name() + "\" was not given " + part);
    }
}

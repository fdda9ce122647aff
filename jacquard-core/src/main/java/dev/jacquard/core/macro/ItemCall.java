package dev.jacquard.core.macro;

import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.residency.Parts;
import java.util.List;

/** The kernel of a macro task with the arguments of one item, for a device. Immutable. */
record ItemCall(int index, String name, DeviceBody body, List<Object> numbers, AccessList accesses, List<View> parts) {
    ItemCall(int index, String name, KernelCall.OnDevice work, AccessList accesses) {
        this(index, name, work.body(), work.numbers(), accesses, Parts.views(accesses));
    }

    boolean reads(int part) {
        return accesses.access(part).reads();
    }

    boolean writes(int part) {
        return accesses.access(part).writes();
    }

    /** Returns the layout of a part on the device: without gaps. */
    Layout layout(int part) {
        View its = parts.get(part);
        return its.data().layout().packed(its.box());
    }

    long bytes(int part) {
        return layout(part).bytes();
    }

    /** Returns true if one launch can do the work of both: equal numbers, and parts of equal shapes. */
    boolean joins(ItemCall other) {
        if (!numbers.equals(other.numbers) || parts.size() != other.parts.size()) {
            return false;
        }
        for (int i = 0; i < parts.size(); i++) {
            if (!layout(i).equals(other.layout(i)) || reads(i) != other.reads(i) || writes(i) != other.writes(i)) {
                return false;
            }
        }
        return true;
    }
}

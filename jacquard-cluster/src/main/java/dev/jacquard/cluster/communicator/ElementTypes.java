package dev.jacquard.cluster.communicator;

import java.lang.foreign.ValueLayout;
import java.util.List;

/** The types of elements. */
final class ElementTypes {
    /** The layouts without alignment and in the byte order of the machine. */
    private static final List<ValueLayout> ALL = List.of(
            ValueLayout.JAVA_BYTE,
            ValueLayout.JAVA_SHORT_UNALIGNED,
            ValueLayout.JAVA_CHAR_UNALIGNED,
            ValueLayout.JAVA_INT_UNALIGNED,
            ValueLayout.JAVA_LONG_UNALIGNED,
            ValueLayout.JAVA_FLOAT_UNALIGNED,
            ValueLayout.JAVA_DOUBLE_UNALIGNED);

    private ElementTypes() {}

    /**
     * Returns the layout of the same elements without alignment.
     *
     * @throws IllegalArgumentException if it is none of the types, or has another byte order
     */
    static ValueLayout require(ValueLayout type) {
        for (ValueLayout its : ALL) {
            if (its.carrier() == type.carrier()) {
                if (its.byteSize() > 1 && its.order() != type.order()) {
                    break;
                }
                return its;
            }
        }
        throw new IllegalArgumentException("elements of " + type
                + ": expected byte, short, char, int, long, float or double in the byte order of the machine");
    }
}

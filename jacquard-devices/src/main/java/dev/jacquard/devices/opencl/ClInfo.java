package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The properties of an object of OpenCL, as text or number. Allocates: not for hot paths.
 *
 * @param who for messages: the owner of the object
 * @param query asks for one property
 */
record ClInfo(String who, Query query) {
    /** One of the {@code clGet...Info} functions, with its object. */
    @FunctionalInterface
    interface Query {
        int ask(int name, long size, MemorySegment value, MemorySegment sizeReturned);
    }

    /** One of the {@code clGet...Info} functions. */
    @FunctionalInterface
    interface OfObject {
        int ask(long object, int name, long size, MemorySegment value, MemorySegment sizeReturned);
    }

    /** One of the {@code clGet...Info} functions of an object on a device. */
    @FunctionalInterface
    interface OnDevice {
        int ask(long object, long device, int name, long size, MemorySegment value, MemorySegment sizeReturned);
    }

    /** Returns the properties of {@code object}; {@code who} is for messages. */
    static ClInfo of(OfObject function, String who, long object) {
        return new ClInfo(who, (name, size, value, returned) -> function.ask(object, name, size, value, returned));
    }

    /** Returns the properties of {@code object} on {@code device}; {@code who} is for messages. */
    static ClInfo of(OnDevice function, String who, long object, long device) {
        return new ClInfo(
                who, (name, size, value, returned) -> function.ask(object, device, name, size, value, returned));
    }

    /** A property that is text, without spaces around it. */
    String text(int name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = value(arena, name);
            return new String(value.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)
                    .replace('\0', ' ')
                    .strip();
        }
    }

    /** A property that is a number of 4 bytes, without a sign, or of 8. */
    long number(int name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = value(arena, name);
            return value.byteSize() == Integer.BYTES
                    ? Integer.toUnsignedLong(value.get(JAVA_INT, 0))
                    : value.get(JAVA_LONG, 0);
        }
    }

    /** A property that is several numbers of 4 bytes. */
    int[] numbers(int name) {
        try (Arena arena = Arena.ofConfined()) {
            return value(arena, name).toArray(JAVA_INT);
        }
    }

    private MemorySegment value(Arena arena, int name) {
        MemorySegment size = arena.allocate(JAVA_LONG);
        String task = "report its property 0x" + Integer.toHexString(name);
        ClStatus.check(query.ask(name, 0, MemorySegment.NULL, size), who, task);
        MemorySegment value = arena.allocate(Math.max(size.get(JAVA_LONG, 0), 1), Long.BYTES);
        ClStatus.check(query.ask(name, size.get(JAVA_LONG, 0), value, size), who, task);
        return value;
    }
}

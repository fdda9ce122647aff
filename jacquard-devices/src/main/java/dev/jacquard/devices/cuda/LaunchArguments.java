package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Arguments of a launch as the driver takes them: an array of addresses, one per parameter, of values that it copies
 * during the call.
 *
 * <pre>
 *   addresses  [ &amp;0 | &amp;1 | &amp;2 | ... ]      written once
 *   values     [  0 |  1 |  2 | ... ]      8 bytes each, written per launch
 * </pre>
 *
 * Threads: one at a time. Owns its memory.
 */
final class LaunchArguments implements AutoCloseable {
    private Arena arena;
    private MemorySegment values;
    private MemorySegment addresses;

    LaunchArguments() {
        this(16);
    }

    private LaunchArguments(int most) {
        arena = Arena.ofShared();
        values = arena.allocate(ValueLayout.JAVA_LONG, most);
        addresses = arena.allocate(ValueLayout.JAVA_LONG, most);
        pointToValues();
    }

    private void pointToValues() {
        for (int i = 0; i < capacity(); i++) {
            addresses.setAtIndex(ValueLayout.JAVA_LONG, i, values.address() + (long) i * Long.BYTES);
        }
    }

    private int capacity() {
        return (int) (values.byteSize() / Long.BYTES);
    }

    /**
     * Writes values, each as large as its type.
     *
     * @return the address of the addresses
     * @throws IllegalArgumentException when they do not match the kernel's parameters
     */
    long pack(CudaKernel kernel, List<?> arguments) {
        int count = arguments.size();
        kernel.requireCount(count);
        if (count > capacity()) {
            grow(count);
        }
        for (int i = 0; i < count; i++) {
            kernel.requireSize(i, put(kernel, i, arguments.get(i)));
        }
        return addresses.address();
    }

    /** The size of the value. */
    private int put(CudaKernel kernel, int i, Object argument) {
        switch (argument) {
            case DeviceBuffer buffer ->
                values.setAtIndex(
                        ValueLayout.JAVA_LONG, i, kernel.device().own(buffer).address());
            case Long number -> values.setAtIndex(ValueLayout.JAVA_LONG, i, number);
            case Double number -> values.set(ValueLayout.JAVA_DOUBLE, (long) i * Long.BYTES, number);
            case Integer number -> {
                values.set(ValueLayout.JAVA_INT, (long) i * Long.BYTES, number);
                return Integer.BYTES;
            }
            case Float number -> {
                values.set(ValueLayout.JAVA_FLOAT, (long) i * Long.BYTES, number);
                return Float.BYTES;
            }
            default ->
                throw new IllegalArgumentException("argument " + i + " of kernel \"" + kernel.name() + "\" is a "
                        + argument.getClass().getName() + ", not a DeviceBuffer, Integer, Long, Float or Double");
        }
        return Long.BYTES;
    }

    private void grow(int count) {
        Arena before = arena;
        arena = Arena.ofShared();
        values = arena.allocate(ValueLayout.JAVA_LONG, count);
        addresses = arena.allocate(ValueLayout.JAVA_LONG, count);
        pointToValues();
        before.close();
    }

    @Override
    public void close() {
        arena.close();
    }
}

package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceWork;
import dev.jacquard.memory.device.KernelFailedException;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A task's work on emulated devices: Java that is given the arguments of {@link DeviceWork#arguments}.
 *
 * @param name of the kernel, for messages
 * @param code its work
 */
public record EmulatedBody(String name, Code code) implements DeviceBody {
    @Override
    public void enqueue(DeviceWork work) {
        if (!(work.stream() instanceof EmulatedStream stream)) {
            throw new IllegalArgumentException("kernel \"" + name + "\" runs on emulated devices, and "
                    + work.stream().device().name() + " is none");
        }
        stream.run(name, code, work.arguments());
    }

    /**
     * A kernel of emulated devices: Java that runs once per launch, on the stream's thread, and does the work of all
     * items.
     */
    @FunctionalInterface
    public interface Code {
        /**
         * Runs it.
         *
         * @throws Exception whatever it throws fails the launch, and with it the stream: with a
         *     {@link KernelFailedException}, unless it is a {@link DeviceException}, which counts as a failure of the
         *     device
         */
        void run(Launch launch) throws Exception;
    }

    /**
     * The items and arguments that a launch gives to the code which it runs.
     *
     * @param shape how many items
     * @param arguments in order; buffers as their memory, aligned to 64 bytes, of the length that was asked for, and
     *     good until the code returns; numbers as they were given
     */
    public record Launch(LaunchShape shape, List<?> arguments) {
        public Launch {
            arguments = Collections.unmodifiableList(new ArrayList<>(arguments));
        }

        /**
         * The memory of the buffer at this place.
         *
         * @throws IllegalArgumentException when something else is there
         */
        public MemorySegment memory(int index) {
            return at(index, MemorySegment.class);
        }

        /**
         * The {@code int} at this place.
         *
         * @throws IllegalArgumentException when something else is there
         */
        public int intAt(int index) {
            return at(index, Integer.class);
        }

        /** The {@code long} at this place; see {@link #intAt}. */
        public long longAt(int index) {
            return at(index, Long.class);
        }

        /** The {@code float} at this place; see {@link #intAt}. */
        public float floatAt(int index) {
            return at(index, Float.class);
        }

        /** The {@code double} at this place; see {@link #intAt}. */
        public double doubleAt(int index) {
            return at(index, Double.class);
        }

        private <T> T at(int index, Class<T> type) {
            if (index < 0 || index >= arguments.size()) {
                throw new IllegalArgumentException(
                        "the code wants argument " + index + " of " + arguments.size() + " (they count from 0)");
            }
            Object argument = arguments.get(index);
            if (!type.isInstance(argument)) {
                throw new IllegalArgumentException("argument " + index + " is of type "
                        + argument.getClass().getSimpleName() + ", and the code wants a " + type.getSimpleName());
            }
            return type.cast(argument);
        }
    }
}

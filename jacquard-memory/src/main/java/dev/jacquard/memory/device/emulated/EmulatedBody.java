package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceWork;

/**
 * A task's work on emulated devices: Java that is given the task's numbers, then the memory of its data in the order of
 * its accesses.
 *
 * @param name of the kernel, for messages
 * @param code what it does
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
         * @throws Exception whatever it throws fails the launch, and with it the stream
         */
        void run(EmulatedLaunch launch) throws Exception;
    }
}

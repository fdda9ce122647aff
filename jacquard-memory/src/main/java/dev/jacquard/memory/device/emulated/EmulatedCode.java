package dev.jacquard.memory.device.emulated;

/**
 * A kernel of emulated devices: Java that runs once per launch, on the stream's thread, and does the work of all items.
 */
@FunctionalInterface
public interface EmulatedCode {
    /**
     * Runs it.
     *
     * @throws Exception whatever it throws fails the launch, and with it the stream
     */
    void run(EmulatedLaunch launch) throws Exception;
}

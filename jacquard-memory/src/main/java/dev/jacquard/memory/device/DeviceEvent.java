package dev.jacquard.memory.device;

/** A place in a stream. Threads: any; closing it comes after all other calls. */
public interface DeviceEvent extends AutoCloseable {
    /**
     * Waits, without keeping a processor busy, until everything before is over.
     *
     * @throws DeviceLostException when the device is gone
     * @throws DeviceException when an operation before failed; names the failure in the driver's words
     */
    void await();

    /** Returns true if everything before is over, or has failed. Does not wait. */
    boolean isOver();

    /** Forgets the place; does not wait for it. A second call does nothing. */
    @Override
    void close();
}

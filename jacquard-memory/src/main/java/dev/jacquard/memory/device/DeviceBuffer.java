package dev.jacquard.memory.device;

/** Memory of a device. Threads: any; closing it comes after everything that uses it is over. */
public interface DeviceBuffer extends AutoCloseable {
    /** Returns the device that it belongs to. */
    Device device();

    /** Returns its size, as asked for. */
    long bytes();

    /** Gives the memory back. A second call does nothing. */
    @Override
    void close();
}

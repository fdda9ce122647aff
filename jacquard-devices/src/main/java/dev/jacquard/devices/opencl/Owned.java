package dev.jacquard.devices.opencl;

/** Something that came of a device and ends with it. */
interface Owned {
    /** Ends it; a second call does nothing. */
    void close();
}

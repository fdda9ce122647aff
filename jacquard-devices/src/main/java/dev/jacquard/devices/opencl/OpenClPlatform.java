package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A vendor's driver, and the one context that its devices share while any of them is in use: buffers of one context can
 * be copied between devices without the host. Threads: any.
 */
final class OpenClPlatform {
    private static final long CONTEXT_PLATFORM = 0x1084;

    private final long id;
    private final String name;
    private final long[] devices;

    /** Guards the fields below. */
    private final Object opening = new Object();

    private long context;
    private int users;

    /** @param devices the usable devices */
    OpenClPlatform(long id, String name, long[] devices) {
        this.id = id;
        this.name = name;
        this.devices = devices;
    }

    String name() {
        return name;
    }

    /** The context, made for the first user. Each call needs its {@link #leave}. */
    long enter() {
        synchronized (opening) {
            if (users == 0) {
                context = create();
            }
            users++;
            return context;
        }
    }

    /** One user less; the last one ends the context. */
    void leave() {
        synchronized (opening) {
            if (--users == 0) {
                ClStatus.check(CL.clReleaseContext(context), name, "release its context");
            }
        }
    }

    private long create() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(JAVA_INT);
            long made = CL.clCreateContext(
                    arena.allocateFrom(JAVA_LONG, CONTEXT_PLATFORM, id, 0),
                    devices.length,
                    arena.allocateFrom(JAVA_LONG, devices),
                    MemorySegment.NULL,
                    MemorySegment.NULL,
                    status);
            ClStatus.check(status.get(JAVA_INT, 0), name, "make a context of " + devices.length + " devices");
            return made;
        }
    }
}

package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.DeviceStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/**
 * A stream that a vendor's library works on, and the meaning of its statuses. Threads: as for the stream.
 *
 * @param library as people call it
 * @param statuses the library's names of failures
 */
record VendorStream(CudaStream stream, String library, Map<Integer, String> statuses) {
    /**
     * For a stream of this package.
     *
     * @throws IllegalArgumentException when it is another kind's
     */
    static VendorStream of(DeviceStream stream, String library, Map<Integer, String> statuses) {
        if (stream instanceof CudaStream cuda) {
            return new VendorStream(cuda, library, statuses);
        }
        throw new IllegalArgumentException(library + " works on streams of CUDA devices, not of "
                + stream.device().name());
    }

    CudaDevice device() {
        return stream.device();
    }

    /** Makes the device's context the thread's; comes before each call. */
    void enter() {
        device().context().enter();
    }

    /**
     * Returns true if the library may be called: after a failure of the stream nothing is done. Makes the context the
     * thread's.
     */
    boolean works() {
        return stream.entered();
    }

    /** A function that makes a handle at an address. */
    @FunctionalInterface
    interface Create {
        int call(long handle);
    }

    /** A function that tells a handle the stream on which it works. */
    @FunctionalInterface
    interface SetStream {
        int call(long handle, long stream);
    }

    /** Makes a handle of the library, which works on this stream. */
    long handle(Create create, SetStream setStream) {
        enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            check(create.call(result.address()), "start");
            long handle = result.get(ValueLayout.JAVA_LONG, 0);
            check(setStream.call(handle, stream.handle()), "use a stream");
            return handle;
        }
    }

    /** Throws when the library refused. */
    void check(int status, String what) {
        if (status != 0) {
            String name = statuses.getOrDefault(status, "status");
            String message = library + " on " + device().name() + " cannot " + what + ": " + name + " (" + status + ")";
            throw name.equals("ALLOC_FAILED") ? new DeviceMemoryException(message) : new DeviceException(message);
        }
    }
}

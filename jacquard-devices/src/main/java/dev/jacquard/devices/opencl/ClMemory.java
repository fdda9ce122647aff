package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.devices.opencl.ClFunctions.OfObject;
import dev.jacquard.devices.opencl.ClFunctions.RectTransfer;
import dev.jacquard.devices.opencl.ClFunctions.Transfer;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of memory objects. Threads: any. Statuses are returned as they are. */
final class ClMemory {
    private static final MethodHandle CREATE_BUFFER =
            ClLibrary.bind("clCreateBuffer", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    static final OfObject RELEASE_BUFFER = new OfObject("clReleaseMemObject");
    private static final MethodHandle ENQUEUE_MAP = ClLibrary.bind(
            "clEnqueueMapBuffer",
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    private static final MethodHandle ENQUEUE_UNMAP = ClLibrary.bind(
            "clEnqueueUnmapMemObject", JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    static final Transfer ENQUEUE_READ = new Transfer("clEnqueueReadBuffer");
    static final Transfer ENQUEUE_WRITE = new Transfer("clEnqueueWriteBuffer");
    private static final MethodHandle ENQUEUE_COPY = ClLibrary.bind(
            "clEnqueueCopyBuffer",
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
    static final RectTransfer ENQUEUE_READ_RECT = new RectTransfer("clEnqueueReadBufferRect");
    static final RectTransfer ENQUEUE_WRITE_RECT = new RectTransfer("clEnqueueWriteBufferRect");
    private static final MethodHandle ENQUEUE_COPY_RECT = ClLibrary.bind(
            "clEnqueueCopyBufferRect",
            JAVA_INT,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS);

    private ClMemory() {}

    /** Binds the functions, or throws. */
    static void touch() {}

    static long createBuffer(long context, long flags, long size, MemorySegment host, MemorySegment status) {
        try {
            return (long) CREATE_BUFFER.invokeExact(context, flags, size, host, status);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static MemorySegment enqueueMap(
            long queue,
            long buffer,
            int blocking,
            long flags,
            long offset,
            long size,
            int waitCount,
            MemorySegment waits,
            MemorySegment event,
            MemorySegment status) {
        try {
            return (MemorySegment) ENQUEUE_MAP.invokeExact(
                    queue, buffer, blocking, flags, offset, size, waitCount, waits, event, status);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int enqueueUnmap(
            long queue, long buffer, MemorySegment mapped, int waitCount, MemorySegment waits, MemorySegment event) {
        try {
            return (int) ENQUEUE_UNMAP.invokeExact(queue, buffer, mapped, waitCount, waits, event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int enqueueCopy(
            long queue,
            long from,
            long to,
            long fromOffset,
            long toOffset,
            long size,
            int waitCount,
            MemorySegment waits,
            MemorySegment event) {
        try {
            return (int) ENQUEUE_COPY.invokeExact(queue, from, to, fromOffset, toOffset, size, waitCount, waits, event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int enqueueCopyRect(
            long queue,
            long from,
            long to,
            MemorySegment fromOrigin,
            MemorySegment toOrigin,
            MemorySegment region,
            long fromPitch,
            long fromSlice,
            long toPitch,
            long toSlice,
            int waitCount,
            MemorySegment waits,
            MemorySegment event) {
        try {
            return (int) ENQUEUE_COPY_RECT.invokeExact(
                    queue,
                    from,
                    to,
                    fromOrigin,
                    toOrigin,
                    region,
                    fromPitch,
                    fromSlice,
                    toPitch,
                    toSlice,
                    waitCount,
                    waits,
                    event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }
}

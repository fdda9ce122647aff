package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of queues and events. Threads: any. Statuses are returned as they are. */
final class ClQueues {
    private static final MethodHandle CREATE_QUEUE =
            ClLibrary.bind("clCreateCommandQueue", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
    private static final MethodHandle RELEASE_QUEUE = ClLibrary.bind("clReleaseCommandQueue", JAVA_INT, JAVA_LONG);
    private static final MethodHandle FLUSH = ClLibrary.bind("clFlush", JAVA_INT, JAVA_LONG);
    private static final MethodHandle FINISH = ClLibrary.bind("clFinish", JAVA_INT, JAVA_LONG);
    private static final MethodHandle ENQUEUE_MARKER =
            ClLibrary.bind("clEnqueueMarkerWithWaitList", JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle ENQUEUE_BARRIER =
            ClLibrary.bind("clEnqueueBarrierWithWaitList", JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle WAIT_FOR_EVENTS = ClLibrary.bind("clWaitForEvents", JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle EVENT_INFO =
            ClLibrary.bind("clGetEventInfo", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    private static final MethodHandle RETAIN_EVENT = ClLibrary.bind("clRetainEvent", JAVA_INT, JAVA_LONG);
    private static final MethodHandle RELEASE_EVENT = ClLibrary.bind("clReleaseEvent", JAVA_INT, JAVA_LONG);

    private ClQueues() {}

    /** Binds the functions, or throws. */
    static void touch() {}

    /** In order, unless {@code properties} says otherwise. Deprecated since OpenCL 2.0, and in every version. */
    static long createQueue(long context, long device, long properties, MemorySegment status) {
        try {
            return (long) CREATE_QUEUE.invokeExact(context, device, properties, status);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int releaseQueue(long queue) {
        try {
            return (int) RELEASE_QUEUE.invokeExact(queue);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    /** Hands commands over to the device, without which another queue may wait for ever. */
    static int flush(long queue) {
        try {
            return (int) FLUSH.invokeExact(queue);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int finish(long queue) {
        try {
            return (int) FINISH.invokeExact(queue);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int enqueueMarker(long queue, int waitCount, MemorySegment waits, MemorySegment event) {
        try {
            return (int) ENQUEUE_MARKER.invokeExact(queue, waitCount, waits, event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int enqueueBarrier(long queue, int waitCount, MemorySegment waits, MemorySegment event) {
        try {
            return (int) ENQUEUE_BARRIER.invokeExact(queue, waitCount, waits, event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    /** Blocks. */
    static int waitForEvents(int count, MemorySegment events) {
        try {
            return (int) WAIT_FOR_EVENTS.invokeExact(count, events);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int eventInfo(long event, int name, long size, MemorySegment value, MemorySegment sizeReturned) {
        try {
            return (int) EVENT_INFO.invokeExact(event, name, size, value, sizeReturned);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int retainEvent(long event) {
        try {
            return (int) RETAIN_EVENT.invokeExact(event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }

    static int releaseEvent(long event) {
        try {
            return (int) RELEASE_EVENT.invokeExact(event);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }
}

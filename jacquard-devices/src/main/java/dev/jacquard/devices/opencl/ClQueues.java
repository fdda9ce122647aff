package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.devices.opencl.ClFunctions.Info;
import dev.jacquard.devices.opencl.ClFunctions.OfObject;
import dev.jacquard.devices.opencl.ClFunctions.Wait;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Functions of queues and events. Threads: any. Statuses are returned as they are. */
final class ClQueues {
    private static final MethodHandle CREATE_QUEUE =
            ClLibrary.bind("clCreateCommandQueue", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
    static final OfObject RELEASE_QUEUE = new OfObject("clReleaseCommandQueue");
    /** Hands commands over to the device, without which another queue may wait for ever. */
    static final OfObject FLUSH = new OfObject("clFlush");

    static final OfObject FINISH = new OfObject("clFinish");
    static final Wait ENQUEUE_MARKER = new Wait("clEnqueueMarkerWithWaitList");
    static final Wait ENQUEUE_BARRIER = new Wait("clEnqueueBarrierWithWaitList");
    private static final MethodHandle WAIT_FOR_EVENTS = ClLibrary.bind("clWaitForEvents", JAVA_INT, JAVA_INT, ADDRESS);
    static final Info EVENT_INFO = new Info("clGetEventInfo");
    static final OfObject RETAIN_EVENT = new OfObject("clRetainEvent");
    static final OfObject RELEASE_EVENT = new OfObject("clReleaseEvent");

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

    /** Blocks. */
    static int waitForEvents(int count, MemorySegment events) {
        try {
            return (int) WAIT_FOR_EVENTS.invokeExact(count, events);
        } catch (Throwable thrown) {
            throw ClLibrary.unchecked(thrown);
        }
    }
}

package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device in use, in the context of its platform. Owns the arena of all scratch memory below it.
 *
 * <p>Drivers may put off an allocation until a command needs it, and none tells how much is free: so this counts the
 * lent memory, and refuses requests that would exceed the device.
 */
final class OpenClDevice implements Device {
    private final OpenClOffer offer;
    private final String name;
    private final long context;
    /** For mapping and unmapping; any thread may use a queue. */
    private final long mapping;

    private final Arena arena = Arena.ofShared();
    private final EventCells cells = new EventCells(arena);
    private final Programs programs;
    /** Bytes of buffers that are not closed. */
    private final AtomicLong lent = new AtomicLong();

    private final Set<Owned> streams = ConcurrentHashMap.newKeySet();
    private final Set<Owned> memories = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    OpenClDevice(OpenClOffer offer) {
        this.offer = offer;
        this.name = offer.name();
        this.context = offer.platform().enter();
        this.programs = new Programs(this, arena);
        try {
            this.mapping = createQueue();
        } catch (RuntimeException | Error refused) {
            offer.platform().leave();
            throw refused;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ExecutionTarget target() {
        return ExecutionTarget.OPENCL;
    }

    @Override
    public Device.Properties properties() {
        return offer.properties();
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        requireOpen();
        if (bytes < 1) {
            throw new IllegalArgumentException("a buffer needs at least 1 byte, not " + bytes);
        }
        long largest = offer.properties().largestBuffer();
        if (bytes > largest) {
            throw new DeviceMemoryException(name + " has no buffers of " + bytes + " bytes: the largest may have "
                    + largest + " (CL_DEVICE_MAX_MEM_ALLOC_SIZE)");
        }
        long before = lent.getAndAdd(bytes);
        try {
            if (bytes > offer.properties().memoryBytes() - before) {
                throw memoryIsShort(bytes, before, "more than it has");
            }
            OpenClBuffer buffer = new OpenClBuffer(this, create(bytes, OpenClBuffer.READ_WRITE, before), bytes);
            memories.add(buffer);
            return buffer;
        } catch (RuntimeException | Error refused) {
            lent.addAndGet(-bytes);
            throw refused;
        }
    }

    @Override
    public PinnedMemory allocatePinned(long bytes) {
        requireOpen();
        if (bytes < 1) {
            throw new IllegalArgumentException("pinned memory needs at least 1 byte, not " + bytes);
        }
        long buffer = create(bytes, OpenClBuffer.READ_WRITE | OpenClBuffer.ALLOC_HOST_PTR, lent.get());
        OpenClPinned pinned = OpenClPinned.map(this, buffer, bytes);
        memories.add(pinned);
        return pinned;
    }

    @Override
    public DeviceStream stream(String name) {
        requireOpen();
        OpenClStream stream = new OpenClStream(this, name);
        streams.add(stream);
        return stream;
    }

    @Override
    public DeviceKernel compile(KernelSource source) {
        requireOpen();
        return programs.kernel(source);
    }

    @Override
    public boolean reaches(Device other) {
        return other instanceof OpenClDevice ours && ours.context == context;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Closing closing = new Closing();
        streams.forEach(stream -> closing.run(stream::close));
        closing.run(programs::close);
        closing.run(cells::close);
        memories.forEach(memory -> closing.run(memory::close));
        closing.run(() -> ClStatus.check(CL.clReleaseCommandQueue(mapping), name, "release its queue"));
        closing.run(offer.platform()::leave);
        closing.run(arena::close);
        closing.finish();
    }

    @Override
    public String toString() {
        return offer.toString();
    }

    long id() {
        return offer.id();
    }

    long context() {
        return context;
    }

    /** The bytes of buffers that are not given back yet. */
    long lentBytes() {
        return lent.get();
    }

    /** The queue for mapping and unmapping. */
    long mapping() {
        return mapping;
    }

    EventCells cells() {
        return cells;
    }

    Programs programs() {
        return programs;
    }

    /** A queue that runs in order. The caller releases it. */
    long createQueue() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment status = scratch.allocate(JAVA_INT);
            long queue = CL.clCreateCommandQueue(context, offer.id(), 0, status);
            ClStatus.check(status.get(JAVA_INT, 0), name, "make a queue");
            return queue;
        }
    }

    /** {@code stream} is closed. */
    void forget(OpenClStream stream) {
        streams.remove(stream);
    }

    /** Takes note that {@code memory}, which counted for {@code bytes} bytes of the device, is closed. */
    void forget(Owned memory, long bytes) {
        memories.remove(memory);
        lent.addAndGet(-bytes);
    }

    /**
     * The buffer as this package's, when streams of this device can use it.
     *
     * @throws IllegalArgumentException when it is another kind of device's, or of another context
     */
    OpenClBuffer reachable(DeviceBuffer buffer) {
        if (buffer instanceof OpenClBuffer ours && reaches(ours.device())) {
            return ours;
        }
        throw new IllegalArgumentException(
                name + " does not reach memory of " + buffer.device().name());
    }

    /** Returns the buffer as one of this device itself. */
    OpenClBuffer own(DeviceBuffer buffer) {
        if (buffer.device() == this && buffer instanceof OpenClBuffer ours) {
            return ours;
        }
        throw new IllegalArgumentException("memory of " + buffer.device().name() + " was given to a stream of " + name);
    }

    private long create(long bytes, long flags, long before) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment result = scratch.allocate(JAVA_INT);
            long buffer = CL.clCreateBuffer(context, flags, bytes, MemorySegment.NULL, result);
            int status = result.get(JAVA_INT, 0);
            switch (status) {
                case ClStatus.MEM_OBJECT_ALLOCATION_FAILURE,
                        ClStatus.OUT_OF_RESOURCES,
                        ClStatus.OUT_OF_HOST_MEMORY,
                        ClStatus.INVALID_BUFFER_SIZE -> throw memoryIsShort(bytes, before, ClStatus.name(status));
                default -> ClStatus.check(status, name, "allocate " + bytes + " bytes");
            }
            return buffer;
        }
    }

    private DeviceMemoryException memoryIsShort(long bytes, long before, String why) {
        return new DeviceMemoryException(name + " could not allocate " + bytes + " bytes: " + why + "; of its "
                + offer.properties().memoryBytes() + " bytes " + before + " are lent already");
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException(name + " is closed");
        }
    }
}

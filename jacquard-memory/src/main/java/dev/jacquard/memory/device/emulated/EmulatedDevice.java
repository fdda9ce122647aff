package dev.jacquard.memory.device.emulated;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A device without hardware. Its kernels are Java code ({@link #kernel}); everything else is as with any device.
 *
 * <pre>
 *  EmulatedOffer offer = EmulatedDevice.offer("emulated0").memory(1L &lt;&lt; 30).link(12_000_000_000L, 10_000);
 *  try (EmulatedDevice device = offer.open(); EmulatedStream stream = device.stream("work")) { ... }
 * </pre>
 *
 * <p>Threads: any.
 */
public final class EmulatedDevice implements Device {
    private static final long DEFAULT_MEMORY = 1L << 30;

    private final EmulatedOffer offer;
    private final Clock clock = Clock.system();
    private final EmulatedMemory memory;
    private final LinkDirection in;
    private final LinkDirection out;
    /** The streams that are not closed. */
    private final Set<EmulatedStream> streams = ConcurrentHashMap.newKeySet();

    private final AtomicLong allocations = new AtomicLong();
    private final AtomicLong copies = new AtomicLong();
    private final AtomicLong launches = new AtomicLong();
    /** Copies and launches. */
    private final AtomicLong operations = new AtomicLong();
    /** The reason of the loss. Written once, by the thread that loses the device. */
    private volatile @Nullable String lost;
    /** Written by the thread that closes the device. */
    private volatile boolean closed;

    EmulatedDevice(EmulatedOffer offer) {
        this.offer = offer;
        this.memory = new EmulatedMemory(offer.name(), offer.memoryBytes());
        EmulatedOffer.Link link = offer.link();
        long now = clock.nanoTime();
        this.in = new LinkDirection(link.inBytesPerSecond(), link.latencyNanos(), now);
        this.out = new LinkDirection(link.outBytesPerSecond(), link.latencyNanos(), now);
    }

    /**
     * A device with 1 GiB of memory that is as fast as the host, reaches others of its kind, and never fails; all of
     * this can be changed.
     */
    public static EmulatedOffer offer(String name) {
        return new EmulatedOffer(
                name, DEFAULT_MEMORY, EmulatedOffer.Link.UNLIMITED, 1, true, USUAL_BATCH, FaultPlan.NONE);
    }

    @Override
    public String name() {
        return offer.name();
    }

    @Override
    public ExecutionTarget target() {
        return offer.target();
    }

    @Override
    public Device.Properties properties() {
        return offer.properties();
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        requireUsable();
        requireSome(bytes);
        long number = allocations.incrementAndGet();
        if (offer.faults().strike(FaultPlan.Kind.ALLOCATION, number)) {
            throw new DeviceMemoryException(
                    name() + " is set to refuse allocation " + number + ", of " + bytes + " bytes");
        }
        return memory.allocate(this, bytes);
    }

    @Override
    public long batchBytes() {
        return offer.batchBytes();
    }

    @Override
    public PinnedMemory allocatePinned(long bytes) {
        requireUsable();
        requireSome(bytes);
        Arena arena = Arena.ofShared();
        return new Pinned(arena, EmulatedMemory.host(arena, bytes, name()));
    }

    private void requireSome(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("memory for " + name() + " needs at least 1 byte, not " + bytes);
        }
    }

    @Override
    public EmulatedStream stream(String name) {
        requireUsable();
        EmulatedStream stream = new EmulatedStream(this, name);
        streams.add(stream);
        return stream;
    }

    /**
     * Emulated devices compile nothing: their kernels are Java code.
     *
     * @throws DeviceException always
     */
    @Override
    public DeviceKernel compile(KernelSource source) {
        requireUsable();
        throw new DeviceException(name() + " runs Java code, and does not compile " + source.language() + " like \""
                + source.function() + "\" of " + source.name() + "; make the kernel with EmulatedDevice.kernel");
    }

    /**
     * A kernel of this device.
     *
     * @param name for messages
     * @param parameters the types of its arguments: {@code DeviceBuffer.class}, {@code Integer.class},
     *     {@code Long.class}, {@code Float.class}, {@code Double.class}; a launch with other arguments is refused
     * @throws IllegalArgumentException when it would take something else
     */
    public DeviceKernel kernel(String name, EmulatedBody.Code code, Class<?>... parameters) {
        return new EmulatedKernel(this, name, code, List.of(parameters));
    }

    @Override
    public boolean reaches(Device other) {
        return other == this || (other instanceof EmulatedDevice peer && offer.peers() && peer.offer.peers());
    }

    /** Returns the number of bytes of its memory that are in use. */
    public long usedBytes() {
        return memory.used();
    }

    /**
     * Loses the device, as when it is pulled out: operations of streams that are not over fail, events end at once, and
     * everything but closing throws {@link DeviceLostException}. A second call does nothing.
     */
    public void lose() {
        lose("it is set to be");
    }

    void lose(String why) {
        synchronized (this) {
            if (lost != null) {
                return;
            }
            lost = why;
        }
        streams.forEach(stream -> stream.lose(lostException()));
    }

    boolean isLost() {
        return lost != null;
    }

    DeviceLostException lostException() {
        return new DeviceLostException(name() + " is lost, with all that was in its memory: " + lost);
    }

    /**
     * Requires that something can be done with it.
     *
     * @throws DeviceLostException when it is lost
     * @throws IllegalStateException when it is closed
     */
    void requireUsable() {
        if (isLost()) {
            throw lostException();
        }
        if (closed) {
            throw new IllegalStateException(name() + " is closed");
        }
    }

    EmulatedOffer offer() {
        return offer;
    }

    Clock clock() {
        return clock;
    }

    EmulatedMemory memory() {
        return memory;
    }

    LinkDirection in() {
        return in;
    }

    LinkDirection out() {
        return out;
    }

    long nextCopy() {
        return copies.incrementAndGet();
    }

    long nextLaunch() {
        return launches.incrementAndGet();
    }

    long nextOperation() {
        return operations.incrementAndGet();
    }

    /** A stream has ended. */
    void forget(EmulatedStream stream) {
        streams.remove(stream);
    }

    @Override
    public void close() {
        closed = true;
        streams.forEach(EmulatedStream::close);
        memory.freeAll();
    }

    @Override
    public String toString() {
        return name();
    }

    /** Native memory: there is no driver that could lock its pages. */
    private record Pinned(Arena arena, MemorySegment segment) implements PinnedMemory {
        @Override
        public void close() {
            if (arena.scope().isAlive()) {
                arena.close();
            }
        }
    }
}

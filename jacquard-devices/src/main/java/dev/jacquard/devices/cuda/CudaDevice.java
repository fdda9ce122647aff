package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.KernelSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A device in use, through its primary context, which it holds until it is closed. */
final class CudaDevice implements Device {
    private final CudaOffer offer;
    private final CudaContext context;
    private final ProgramCache kernels;
    private final EventPool events;

    /** The resources to give back, at the latest when the device is closed; any thread. */
    private final Set<CudaResource> open = ConcurrentHashMap.newKeySet();

    /** By other device that this one was asked about: true if this one can reach its memory; any thread. */
    private final Map<CudaDevice, Boolean> reached = new ConcurrentHashMap<>();

    private final AtomicBoolean closed = new AtomicBoolean();

    private CudaDevice(CudaOffer offer, CudaContext context) {
        this.offer = offer;
        this.context = context;
        this.kernels = new ProgramCache(this);
        this.events = new EventPool(context);
    }

    static CudaDevice open(CudaOffer offer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            new CudaContext(offer.driver(), offer.name(), 0)
                    .check(offer.driver().primaryCtxRetain(result.address(), offer.handle()), "be opened");
            long handle = result.get(ValueLayout.JAVA_LONG, 0);
            return new CudaDevice(offer, new CudaContext(offer.driver(), offer.name(), handle));
        }
    }

    CudaContext context() {
        return context;
    }

    Found<Nvrtc> compiler() {
        return offer.compiler();
    }

    int capability() {
        return offer.capability();
    }

    EventPool events() {
        return events;
    }

    @Override
    public String name() {
        return offer.name();
    }

    @Override
    public ExecutionTarget target() {
        return ExecutionTarget.CUDA;
    }

    @Override
    public Device.Properties properties() {
        return offer.properties();
    }

    @Override
    public DeviceBuffer allocate(long bytes) {
        requireOpen();
        return keep(CudaBuffer.allocate(this, bytes));
    }

    @Override
    public PinnedMemory allocatePinned(long bytes) {
        requireOpen();
        return keep(CudaPinned.allocate(this, bytes));
    }

    @Override
    public @Nullable PinnedMemory pin(MemorySegment memory) {
        requireOpen();
        if (!memory.isNative() || memory.byteSize() == 0) {
            throw new IllegalArgumentException("memory on the Java heap, or of no bytes, cannot be page-locked");
        }
        CudaPinned pinned = CudaPinned.lock(this, memory);
        return pinned == null ? null : keep(pinned);
    }

    @Override
    public DeviceStream stream(String name) {
        requireOpen();
        return keep(CudaStream.create(this, name));
    }

    @Override
    public DeviceKernel compile(KernelSource source) {
        requireOpen();
        if (source.language() != KernelSource.Language.CUDA) {
            throw new DeviceException("kernel \"" + source.function() + "\" of " + source.name() + " is written in "
                    + source.language() + "; " + name() + " takes " + KernelSource.Language.CUDA);
        }
        return kernels.of(source);
    }

    @Override
    public boolean reaches(Device other) {
        return other == this
                || (other instanceof CudaDevice peer && reached.computeIfAbsent(peer, this::enablePeerAccess));
    }

    /** Opens the link for good, and returns true if there is one. */
    private boolean enablePeerAccess(CudaDevice peer) {
        Driver driver = context.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment can = arena.allocate(ValueLayout.JAVA_INT);
            context.check(
                    driver.deviceCanAccessPeer(can.address(), offer.handle(), peer.offer.handle()),
                    "report the devices that it reaches");
            if (can.get(ValueLayout.JAVA_INT, 0) == 0) {
                return false;
            }
            context.enter();
            int status = driver.ctxEnablePeerAccess(peer.context.handle(), 0);
            if (status != CudaStatus.PEER_ACCESS_ALREADY_ENABLED) {
                context.check(status, "reach the memory of " + peer.name());
            }
            return true;
        }
    }

    /** A buffer as this package's. @throws IllegalArgumentException when it is of a device of another kind */
    static CudaBuffer buffer(DeviceBuffer buffer) {
        if (buffer instanceof CudaBuffer cuda) {
            return cuda;
        }
        throw new IllegalArgumentException("a buffer of " + buffer.device().name() + " is not of a CUDA device");
    }

    /** A buffer of this very device. @throws IllegalArgumentException when it is another's */
    CudaBuffer own(DeviceBuffer buffer) {
        if (buffer instanceof CudaBuffer cuda && cuda.device() == this) {
            return cuda;
        }
        throw new IllegalArgumentException("a buffer of " + buffer.device().name() + " is not of " + name());
    }

    private <R extends CudaResource> R keep(R resource) {
        open.add(resource);
        return resource;
    }

    void forget(CudaResource resource) {
        open.remove(resource);
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException(name() + " is closed");
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        List<CudaResource> streamsFirst = new ArrayList<>(open);
        streamsFirst.sort((a, b) -> Boolean.compare(b instanceof CudaStream, a instanceof CudaStream));
        streamsFirst.forEach(CudaResource::close);
        events.close();
        kernels.close();
        context.checkRelease(context.driver().primaryCtxRelease(offer.handle()), "give its context back");
    }
}

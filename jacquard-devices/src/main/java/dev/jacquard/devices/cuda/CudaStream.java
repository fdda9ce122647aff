package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceMemoryException;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stream of the driver.
 *
 * <p>An immediate refusal of the driver is kept here; no more commands are given to it, and events carry the refusal. A
 * later failure, while the device works, is reported by the driver from every call: such failures are losses of the
 * device.
 */
final class CudaStream extends CudaResource implements DeviceStream {
    /** {@code CU_STREAM_NON_BLOCKING}: does not wait for the work of others on the default stream. */
    private static final int NON_BLOCKING = 1;

    private final String name;
    private final long handle;
    private final Driver driver;
    private final Copies copies;
    private final LaunchArguments packed = new LaunchArguments();

    /** The first refusal. Confined, as the stream is, to one thread at a time. */
    private @Nullable DeviceException failure;

    private CudaStream(CudaDevice device, String name, long handle) {
        super(device);
        this.name = name;
        this.handle = handle;
        this.driver = device.context().driver();
        this.copies = new Copies(driver, handle);
    }

    static CudaStream create(CudaDevice device, String name) {
        CudaContext context = device.context();
        context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            context.check(context.driver().streamCreate(result.address(), NON_BLOCKING), "make a stream");
            return new CudaStream(device, name, result.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    /** A copy of a failure, for one more thread that it is reported to. */
    static DeviceException again(DeviceException failure) {
        String message = String.valueOf(failure.getMessage());
        DeviceException copy = switch (failure) {
            case DeviceLostException lost -> new DeviceLostException(message);
            case DeviceMemoryException full -> new DeviceMemoryException(message);
            default -> new DeviceException(message);
        };
        copy.initCause(failure);
        return copy;
    }

    @Override
    public void copyIn(MemorySegment from, DeviceBuffer to, CopyShape shape) {
        requireNative(from);
        CudaBuffer target = device().own(to);
        shape.requireWithin(from.byteSize(), to.bytes());
        copy(Copies.Way.IN, from.address(), 0, target.address(), 0, shape);
    }

    @Override
    public void copyOut(DeviceBuffer from, MemorySegment to, CopyShape shape) {
        requireNative(to);
        if (to.isReadOnly()) {
            throw new IllegalArgumentException("a copy cannot write to memory that is read-only");
        }
        CudaBuffer source = device().own(from);
        shape.requireWithin(from.bytes(), to.byteSize());
        copy(Copies.Way.OUT, source.address(), 0, to.address(), 0, shape);
    }

    @Override
    public void copy(DeviceBuffer from, DeviceBuffer to, CopyShape shape) {
        CudaBuffer source = CudaDevice.buffer(from);
        CudaBuffer target = CudaDevice.buffer(to);
        shape.requireWithin(from.bytes(), to.bytes());
        CudaDevice other = source.device() == device() ? target.device() : source.device();
        if (source.device() != device() && target.device() != device()) {
            throw new IllegalArgumentException("neither a buffer of "
                    + source.device().name() + " nor one of " + target.device().name() + " is of " + device().name());
        }
        if (!device().reaches(other)) {
            throw new IllegalArgumentException(
                    device().name() + " does not reach the memory of " + other.name() + "; copy by way of the host");
        }
        copy(
                other == device() ? Copies.Way.WITHIN : Copies.Way.PEER,
                source.address(),
                source.context().handle(),
                target.address(),
                target.context().handle(),
                shape);
    }

    private void copy(Copies.Way way, long from, long fromContext, long to, long toContext, CopyShape shape) {
        if (entered()) {
            int status = copies.enqueue(way, from, fromContext, to, toContext, shape);
            if (status != CudaStatus.SUCCESS) {
                failure = context().failure(status, "copy " + shape.bytes() + " bytes on stream \"" + name + '"');
            }
        }
    }

    private static void requireNative(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("a device copies from and to native memory, not an array on the heap");
        }
    }

    @Override
    public void launch(DeviceKernel kernel, LaunchShape shape, List<?> arguments) {
        if (!(kernel instanceof CudaKernel mine) || mine.device() != device()) {
            throw new IllegalArgumentException(
                    "kernel \"" + kernel.name() + "\" is of " + kernel.device().name() + ", not of " + device().name());
        }
        Grid grid = Grid.of(shape, mine.preferredBlock(), mine.largestBlock());
        long parameters = packed.pack(mine, arguments);
        if (entered()) {
            int status = driver.launchKernel(
                    mine.handle(),
                    grid.x(),
                    grid.y(),
                    grid.z(),
                    grid.blockX(),
                    grid.blockY(),
                    grid.blockZ(),
                    0,
                    handle,
                    parameters,
                    0);
            if (status != CudaStatus.SUCCESS) {
                failure = context()
                        .failure(
                                status,
                                "launch kernel \"" + mine.name() + "\" as " + grid + " on stream \"" + name + '"');
            }
        }
    }

    @Override
    public DeviceEvent record() {
        if (entered()) {
            try {
                return recorded(device().events().take());
            } catch (DeviceException refused) {
                failure = refused;
            }
        }
        return new CudaEvent(device(), name, Objects.requireNonNull(failure));
    }

    private CudaEvent recorded(long event) {
        int status = driver.eventRecord(event, handle);
        if (status != CudaStatus.SUCCESS) {
            device().events().give(event);
            throw context().failure(status, "do what stream \"" + name + "\" was to do");
        }
        return new CudaEvent(device(), name, event);
    }

    @Override
    public void await(DeviceEvent event) {
        if (!(event instanceof CudaEvent other) || other.device() != device()) {
            throw new IllegalArgumentException(
                    "stream \"" + name + "\" of " + device().name() + " can wait for events of the same device only");
        }
        if (failure == null && other.failure() != null) {
            failure = other.failure();
        }
        if (entered()) {
            int status = driver.streamWaitEvent(handle, other.handle(), 0);
            if (status != CudaStatus.SUCCESS) {
                failure = context().failure(status, "let stream \"" + name + "\" wait");
            }
        }
    }

    /** Returns true if the stream works, and makes the device's context the thread's. */
    boolean entered() {
        if (failure != null) {
            return false;
        }
        int status = driver.ctxSetCurrent(context().handle());
        if (status != CudaStatus.SUCCESS) {
            failure = context().failure(status, "use its context");
            return false;
        }
        return true;
    }

    @Override
    public long handle() {
        return handle;
    }

    @Override
    void release() {
        // Earlier failures were reported by events.
        driver.streamSynchronize(handle);
        copies.close();
        packed.close();
        context().checkRelease(driver.streamDestroy(handle), "end stream \"" + name + '"');
    }
}

package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a device has loaded, each compiled once, and their kernels. They live as long as the device, which
 * bounds them to the sources of the program that uses it. Threads: any; one compiles at a time.
 */
final class ProgramCache {
    /** Parameters beyond this are not counted; the driver's own limit is 4 KiB, later 32 KiB, of them. */
    private static final int MOST_PARAMETERS = 4096;

    /** {@code CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK}. */
    private static final int MAX_THREADS_PER_BLOCK = 0;

    private record Key(Text text, String function) {}

    private record Text(String text, boolean isExact) {
        static Text of(KernelSource source) {
            return new Text(source.text(), source.isExact());
        }
    }

    private final CudaDevice device;
    private final Map<Key, CudaKernel> kernels = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    /** Modules by the text of their source; guarded by {@link #lock}. */
    private final Map<Text, Long> modules = new HashMap<>();

    ProgramCache(CudaDevice device) {
        this.device = device;
    }

    CudaKernel of(KernelSource source) {
        Key key = new Key(Text.of(source), source.function());
        CudaKernel known = kernels.get(key);
        if (known != null) {
            return known;
        }
        synchronized (lock) {
            device.context().enter();
            CudaKernel kernel = kernels.get(key);
            if (kernel == null) {
                kernel = kernel(source, module(source));
                kernels.put(key, kernel);
            }
            return kernel;
        }
    }

    private long module(KernelSource source) {
        Long known = modules.get(Text.of(source));
        if (known != null) {
            return known;
        }
        byte[] image = image(source);
        CudaContext context = device.context();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            MemorySegment data = arena.allocate(image.length + 1L, 16); // PTX ends with a zero.
            MemorySegment.copy(image, 0, data, ValueLayout.JAVA_BYTE, 0, image.length);
            int status = context.driver().moduleLoadData(result.address(), data.address());
            if (status != CudaStatus.SUCCESS) {
                throw context.failure(status, "load what was compiled of " + source.name());
            }
            long module = result.get(ValueLayout.JAVA_LONG, 0);
            modules.put(Text.of(source), module);
            return module;
        }
    }

    private byte[] image(KernelSource source) {
        Nvrtc.Compiled compiled;
        try {
            Nvrtc nvrtc = device.compiler().orThrow();
            compiled = nvrtc.compile(source, Nvrtc.Architecture.of(nvrtc.supported(), device.capability()));
        } catch (IllegalStateException e) {
            throw new DeviceException(
                    "kernel \"" + source.function() + "\" of " + source.name() + " cannot be compiled for "
                            + device.name() + ": " + e.getMessage(),
                    e);
        }
        if (!compiled.isRight()) {
            throw new KernelCompilationException(source, device.name(), compiled.log());
        }
        return compiled.image();
    }

    private CudaKernel kernel(KernelSource source, long module) {
        CudaContext context = device.context();
        Driver driver = context.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            int status = driver.moduleGetFunction(
                    result.address(),
                    module,
                    arena.allocateFrom(source.function()).address());
            if (status == CudaStatus.NOT_FOUND) {
                throw new KernelCompilationException(
                        source, device.name(), "it has no function of that name that is extern \"C\" __global__");
            }
            context.check(status, "find a kernel");
            long function = result.get(ValueLayout.JAVA_LONG, 0);
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
            context.check(
                    driver.funcGetAttribute(numbers.address(), MAX_THREADS_PER_BLOCK, function),
                    "say how large a kernel's blocks may be");
            int largest = numbers.get(ValueLayout.JAVA_INT, 0);
            context.check(
                    driver.occupancyMaxPotentialBlockSize(
                            numbers.address(), numbers.address() + Integer.BYTES, function, 0, 0, 0),
                    "say how large a kernel's blocks should be");
            int preferred = numbers.getAtIndex(ValueLayout.JAVA_INT, 1);
            return new CudaKernel(device, source.function(), function, preferred, largest, sizes(arena, function));
        }
    }

    private int @Nullable [] sizes(Arena arena, long function) {
        Driver driver = device.context().driver();
        MemorySegment numbers = arena.allocate(ValueLayout.JAVA_LONG, 2);
        int[] sizes = new int[MOST_PARAMETERS];
        int count = 0;
        while (count < MOST_PARAMETERS) {
            int status = driver.funcGetParamInfo(function, count, numbers.address(), numbers.address() + Long.BYTES);
            if (status == CudaStatus.NOT_FOUND) {
                return null; // An older driver.
            }
            if (status == CudaStatus.INVALID_VALUE) {
                break; // After the last one.
            }
            device.context().check(status, "report the parameters of a kernel");
            sizes[count++] = (int) numbers.getAtIndex(ValueLayout.JAVA_LONG, 1);
        }
        return Arrays.copyOf(sizes, count);
    }

    /** Unloads all; comes after everything that they run in. */
    void close() {
        synchronized (lock) {
            CudaContext context = device.context();
            for (long module : modules.values()) {
                context.checkRelease(context.driver().moduleUnload(module), "unload a program");
            }
            modules.clear();
        }
    }
}

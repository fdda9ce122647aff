package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.base.foreign.SignalHandlers;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The programs of a device, by text, and the kernels in them. They live as long as the device, since kernels do: their
 * number is that of the different sources. Threads: any; compilations come one after the other.
 */
final class Programs {
    /** So that arguments can be checked by type. */
    private static final String OPTIONS = "-cl-kernel-arg-info";
    /** Allowed only where the device can do so. */
    private static final String EXACT = " -cl-fp32-correctly-rounded-divide-sqrt";

    /**
     * PoCL fails now and then since a temporary file of its cache is gone, and then another time where several
     * processes use the cache. A wrong source fails each time.
     */
    private static final int TRIES = 4;

    private static final int BUILD_LOG = 0x1183;
    private static final int KERNEL_NAMES = 0x1168;

    private final OpenClDevice device;
    private final Arena arena;
    private final Map<KernelSource, OpenClKernel> kernels = new ConcurrentHashMap<>();

    /** Guards the fields below, and additions to {@code kernels}. */
    private final Object compiling = new Object();

    private final Map<Key, Long> programs = new HashMap<>();

    /** The difference between programs. */
    private record Key(String text, boolean isExact) {}

    /** @param arena borrowed; must outlive this */
    Programs(OpenClDevice device, Arena arena) {
        this.device = device;
        this.arena = arena;
    }

    /** The kernel that a source says. */
    OpenClKernel kernel(KernelSource source) {
        OpenClKernel known = kernels.get(source);
        if (known != null) {
            return known;
        }
        if (source.language() != KernelSource.Language.OPENCL_C) {
            throw new DeviceException(
                    device.name() + " compiles OPENCL_C, but " + source.name() + " is " + source.language());
        }
        synchronized (compiling) {
            known = kernels.get(source);
            if (known == null) {
                // LLVM, with which PoCL compiles, takes fifteen handlers of the process.
                SignalHandlers saved = SignalHandlers.save();
                try {
                    known = create(source, program(source));
                    kernels.put(source, known);
                } finally {
                    saved.restore();
                }
            }
            return known;
        }
    }

    /** The number of programs that were compiled. */
    int size() {
        synchronized (compiling) {
            return programs.size();
        }
    }

    void close() {
        Closing closing = new Closing();
        kernels.values().forEach(kernel -> closing.run(kernel::close));
        programs.values()
                .forEach(program -> closing.run(
                        () -> ClStatus.check(CL.clReleaseProgram(program), device.name(), "release a program")));
        closing.finish();
    }

    private long program(KernelSource source) {
        Key key = new Key(source.text(), source.isExact());
        Long known = programs.get(key);
        if (known != null) {
            return known;
        }
        long program = compile(source);
        programs.put(key, program);
        return program;
    }

    private long compile(KernelSource source) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment status = scratch.allocate(JAVA_INT);
            MemorySegment texts = scratch.allocate(ADDRESS);
            texts.set(ADDRESS, 0, scratch.allocateFrom(source.text()));
            long program = CL.clCreateProgramWithSource(device.context(), 1, texts, MemorySegment.NULL, status);
            ClStatus.check(status.get(JAVA_INT, 0), device.name(), "take the source " + source.name());
            int built = build(program, source, scratch);
            for (int i = 1; i < TRIES && built == ClStatus.BUILD_PROGRAM_FAILURE; i++) {
                built = build(program, source, scratch);
            }
            if (built < 0) {
                try {
                    throw refusal(source, program, built);
                } finally {
                    // The failure that is under way says more than a failure of this call.
                    CL.clReleaseProgram(program);
                }
            }
            return program;
        }
    }

    private int build(long program, KernelSource source, Arena scratch) {
        boolean rounded = "true".equals(device.properties().more().get(DeviceFacts.FLOAT_ROUNDED_DIVISION));
        return CL.clBuildProgram(
                program,
                1,
                scratch.allocateFrom(JAVA_LONG, device.id()),
                scratch.allocateFrom(source.isExact() && rounded ? OPTIONS + EXACT : OPTIONS),
                MemorySegment.NULL,
                MemorySegment.NULL);
    }

    private DeviceException refusal(KernelSource source, long program, int status) {
        if (status != ClStatus.BUILD_PROGRAM_FAILURE) {
            return ClStatus.failure(
                    status, device.name() + " could not compile " + source.name() + ": " + ClStatus.name(status));
        }
        ClInfo build = ClInfo.of(CL::clGetProgramBuildInfo, device.name(), program, device.id());
        return new KernelCompilationException(source, device.name(), build.text(BUILD_LOG));
    }

    private OpenClKernel create(KernelSource source, long program) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment result = scratch.allocate(JAVA_INT);
            long kernel = CL.clCreateKernel(program, scratch.allocateFrom(source.function()), result);
            int status = result.get(JAVA_INT, 0);
            if (status == ClStatus.INVALID_KERNEL_NAME) {
                ClInfo facts = ClInfo.of(CL::clGetProgramInfo, device.name(), program);
                throw new KernelCompilationException(
                        source,
                        device.name(),
                        source.name() + " has no kernel \"" + source.function() + "\" but: "
                                + facts.text(KERNEL_NAMES).replace(";", ", "));
            }
            ClStatus.check(status, device.name(), "make kernel \"" + source.function() + "\" of " + source.name());
            try {
                return new OpenClKernel(device, source.function(), kernel, arena);
            } catch (RuntimeException | Error refused) {
                CL.clReleaseKernel(kernel); // and the failure that is under way says more
                throw refused;
            }
        }
    }
}

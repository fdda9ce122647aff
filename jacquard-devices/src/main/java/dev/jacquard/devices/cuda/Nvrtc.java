package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.base.foreign.NativeMemory;
import dev.jacquard.memory.device.KernelSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The compiler of CUDA C++. Needs no device. Threads: any.
 *
 * <p>Source: {@code nvrtc.h}; version 11.2 or later.
 */
final class Nvrtc {
    private static final int COMPILATION = 6; // NVRTC_ERROR_COMPILATION

    private final Calls calls;

    /** All but one return a status. */
    private interface Calls {
        @Symbol("nvrtcVersion")
        int version(long major, long minor);

        @Symbol("nvrtcGetNumSupportedArchs")
        int numSupportedArchs(long count);

        @Symbol("nvrtcGetSupportedArchs")
        int supportedArchs(long all);

        @Symbol("nvrtcCreateProgram")
        int createProgram(long program, long text, long name, int headers, long headerTexts, long headerNames);

        @Symbol("nvrtcCompileProgram")
        int compileProgram(long program, int options, long texts);

        @Symbol("nvrtcGetProgramLogSize")
        int logSize(long program, long bytes);

        @Symbol("nvrtcGetProgramLog")
        int log(long program, long text);

        @Symbol("nvrtcGetPTXSize")
        int ptxSize(long program, long bytes);

        @Symbol("nvrtcGetPTX")
        int ptx(long program, long text);

        @Symbol("nvrtcGetCUBINSize")
        int cubinSize(long program, long bytes);

        @Symbol("nvrtcGetCUBIN")
        int cubin(long program, long code);

        @Symbol("nvrtcDestroyProgram")
        int destroyProgram(long program);

        /** Returns the address of a text. */
        @Symbol("nvrtcGetErrorString")
        long errorString(int status);
    }

    /** One of the functions that give output of a program, or its size. */
    private interface Output {
        int of(long program, long into);
    }

    Nvrtc(NativeLibrary library) {
        calls = Binding.of(MethodHandles.lookup(), Calls.class).to(library);
    }

    /**
     * A source that the compiler has read.
     *
     * @param image machine code or PTX, for {@code cuModuleLoadData}; empty when the source is wrong
     * @param log the output of the compiler
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Compiled(byte[] image, String log) {
        boolean isRight() {
            return image.length > 0;
        }
    }

    /**
     * The architecture that code is made for. Machine code ({@code sm_90}) where the compiler knows the device, else
     * PTX that newer devices take, too.
     */
    record Architecture(String name, boolean machineCode) {
        /**
         * The best for a device.
         *
         * @param supported the capabilities that the compiler knows: 90 for 9.0
         * @param capability the device's
         * @throws IllegalStateException when the compiler knows newer devices only
         */
        static Architecture of(int[] supported, int capability) {
            if (Arrays.stream(supported).anyMatch(s -> s == capability)) {
                return new Architecture("sm_" + capability, true);
            }
            int older = Arrays.stream(supported)
                    .filter(s -> s < capability)
                    .max()
                    .orElseThrow(() -> new IllegalStateException(
                            "NVRTC makes code for " + Arrays.toString(supported) + ", not for " + capability));
            return new Architecture("compute_" + older, false);
        }
    }

    /** Its version, as in 13.0. */
    String version() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_INT, 2);
            check(calls.version(numbers.address(), numbers.address() + Integer.BYTES), "say its version");
            return numbers.getAtIndex(ValueLayout.JAVA_INT, 0) + "." + numbers.getAtIndex(ValueLayout.JAVA_INT, 1);
        }
    }

    /** Compute capabilities that it makes code for, times ten. */
    int[] supported() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            check(calls.numSupportedArchs(count.address()), "report the architectures that it compiles for");
            MemorySegment all = arena.allocate(ValueLayout.JAVA_INT, count.get(ValueLayout.JAVA_INT, 0));
            check(calls.supportedArchs(all.address()), "report the architectures that it compiles for");
            return all.toArray(ValueLayout.JAVA_INT);
        }
    }

    /** Compiles a program. */
    Compiled compile(KernelSource source, Architecture architecture) {
        String name = source.name();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(ValueLayout.JAVA_LONG);
            check(
                    calls.createProgram(
                            program.address(),
                            arena.allocateFrom(source.text()).address(),
                            arena.allocateFrom(name).address(),
                            0,
                            0,
                            0),
                    "take " + name);
            try {
                List<String> options = options(source.isExact(), architecture);
                return compile(arena, program.get(ValueLayout.JAVA_LONG, 0), name, architecture, options);
            } finally {
                check(calls.destroyProgram(program.address()), "forget " + name);
            }
        }
    }

    /** Returns the options for a source. */
    static List<String> options(boolean exact, Architecture architecture) {
        List<String> options = new ArrayList<>(List.of("--gpu-architecture=" + architecture.name(), "--std=c++17"));
        if (exact) {
            options.addAll(List.of("--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"));
        }
        return options;
    }

    private Compiled compile(Arena arena, long program, String name, Architecture architecture, List<String> options) {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, options.size());
        for (int i = 0; i < options.size(); i++) {
            array.setAtIndex(
                    ValueLayout.JAVA_LONG, i, arena.allocateFrom(options.get(i)).address());
        }
        int status = calls.compileProgram(program, options.size(), array.address());
        if (status != COMPILATION) {
            check(status, "compile " + name);
        }
        String said =
                new String(bytes(arena, program, calls::logSize, calls::log), StandardCharsets.UTF_8).replace("\0", "");
        if (status == COMPILATION) {
            return new Compiled(new byte[0], said);
        }
        byte[] image = architecture.machineCode()
                ? bytes(arena, program, calls::cubinSize, calls::cubin)
                : bytes(arena, program, calls::ptxSize, calls::ptx);
        return new Compiled(image, said);
    }

    private byte[] bytes(Arena arena, long program, Output size, Output content) {
        MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
        check(size.of(program, length.address()), "say how large its output is");
        long bytes = length.get(ValueLayout.JAVA_LONG, 0);
        if (bytes == 0) {
            return new byte[0];
        }
        MemorySegment into = arena.allocate(bytes);
        check(content.of(program, into.address()), "give its output");
        return into.toArray(ValueLayout.JAVA_BYTE);
    }

    private void check(int status, String what) {
        if (status != 0) {
            throw new IllegalStateException("NVRTC cannot " + what + ": " + words(status));
        }
    }

    private String words(int status) {
        return NativeMemory.text(calls.errorString(status)) + " (" + status + ")";
    }
}

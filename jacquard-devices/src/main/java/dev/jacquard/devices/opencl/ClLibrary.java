package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loader that finds the vendors' drivers, as this process found it: its functions, or why there are none. Loaded
 * once, for ever.
 */
final class ClLibrary {
    private static final String[] NAMES = {"libOpenCL.so.1", "libOpenCL.so"};

    private final @Nullable SymbolLookup symbols;
    private final @Nullable String absence;

    private ClLibrary(@Nullable SymbolLookup symbols, @Nullable String absence) {
        this.symbols = symbols;
        this.absence = absence;
    }

    /** The reason why this package cannot be used; empty when it can. */
    static Optional<String> absence() {
        return Optional.ofNullable(Usable.ABSENCE);
    }

    /**
     * Binds a function. Handles are {@code JAVA_LONG}, pointers to memory {@code ADDRESS}.
     *
     * @throws IllegalStateException when the library, or the function, is not there
     */
    static MethodHandle bind(String function, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker().downcallHandle(find(function), FunctionDescriptor.of(result, arguments));
    }

    /**
     * Returns where a function is.
     *
     * @throws IllegalStateException when the library, or the function, is not there
     */
    static MemorySegment find(String function) {
        SymbolLookup symbols = Holder.LIBRARY.symbols;
        if (symbols == null) {
            throw new IllegalStateException("OpenCL is absent: " + Holder.LIBRARY.absence);
        }
        return symbols.find(function)
                .orElseThrow(() -> new IllegalStateException("the library has no function " + function));
    }

    /** Returns the exception of a call of a bound function: a mistake of ours or of the caller's, never checked. */
    static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            return exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new AssertionError(thrown);
    }

    private static ClLibrary load() {
        for (String name : NAMES) {
            try {
                SymbolLookup symbols = SymbolLookup.libraryLookup(name, Arena.global());
                keepDivisionByZero();
                return new ClLibrary(symbols, null);
            } catch (IllegalArgumentException notThere) {
                // The next name may be; the reason below names all.
            }
        }
        return new ClLibrary(
                null,
                "none of " + String.join(", ", NAMES)
                        + " is on the loader's path; on Debian: apt-get install ocl-icd-libopencl1");
    }

    /**
     * Asks PoCL to leave the signal of a division by zero alone. Its own handler steps over the instruction, and Java,
     * which makes an {@link ArithmeticException} of that signal, would go on with a wrong number. Must come before the
     * first call of the loader, which starts the drivers; a variable that is set already stays as it is. Drivers read
     * the C library's environment, not Java's copy.
     */
    private static void keepDivisionByZero() {
        MemorySegment setenv =
                Linker.nativeLinker().defaultLookup().find("setenv").orElse(null);
        if (setenv == null) {
            return; // no such function, no such handler: both are POSIX
        }
        MethodHandle call = Linker.nativeLinker()
                .downcallHandle(setenv, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int status = (int) call.invokeExact(arena.allocateFrom("POCL_SIGFPE_HANDLER"), arena.allocateFrom("0"), 0);
            if (status != 0) {
                throw new IllegalStateException("the environment variable POCL_SIGFPE_HANDLER cannot be set");
            }
        } catch (Throwable thrown) {
            throw unchecked(thrown);
        }
    }

    /** Loads on first use, not when providers are listed. */
    private static final class Holder {
        static final ClLibrary LIBRARY = load();
    }

    /** Binds all functions once, so that a loader that is too old is an absence too. */
    private static final class Usable {
        static final @Nullable String ABSENCE = find();

        private static @Nullable String find() {
            if (Holder.LIBRARY.absence != null) {
                return Holder.LIBRARY.absence;
            }
            try {
                ClDevices.touch();
                ClQueues.touch();
                ClMemory.touch();
                ClPrograms.touch();
                return null;
            } catch (RuntimeException | LinkageError unfit) {
                Throwable cause = unfit.getCause() == null ? unfit : unfit.getCause();
                return "libOpenCL cannot be used: " + cause.getMessage();
            }
        }
    }
}

package dev.jacquard.devices.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandleProxies;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The loader that finds the vendors' drivers, as this process found it: its functions, or why there are none. Loaded
 * once, for ever.
 */
final class ClLibrary {
    private static final String[] NAMES = {"libOpenCL.so.1", "libOpenCL.so"};
    private static final String ABSENCE = "none of " + String.join(", ", NAMES)
            + " is on the loader's path; on Debian: apt-get install ocl-icd-libopencl1";

    private ClLibrary() {}

    /** The reason why this package cannot be used; empty when it can. */
    static Optional<String> absence() {
        return Optional.ofNullable(Usable.ABSENCE);
    }

    /**
     * Binds a function to a public interface, whose one abstract method has its types: {@code int}, {@code long} for
     * handles as for numbers, {@link MemorySegment} for pointers to memory.
     *
     * @throws IllegalStateException when the library, or the function, is not there
     */
    static <F> F bind(Class<F> type, String function) {
        if (Holder.SYMBOLS == null) {
            throw new IllegalStateException("OpenCL is absent: " + ABSENCE);
        }
        return bind(
                type,
                Holder.SYMBOLS
                        .find(function)
                        .orElseThrow(() -> new IllegalStateException("the library has no function " + function)));
    }

    private static <F> F bind(Class<F> type, MemorySegment address) {
        Method call = Arrays.stream(type.getMethods())
                .filter(method -> !method.isDefault())
                .findFirst()
                .orElseThrow();
        MemoryLayout[] arguments =
                Arrays.stream(call.getParameterTypes()).map(ClLibrary::layout).toArray(MemoryLayout[]::new);
        FunctionDescriptor descriptor = FunctionDescriptor.of(layout(call.getReturnType()), arguments);
        return MethodHandleProxies.asInterfaceInstance(
                type, Linker.nativeLinker().downcallHandle(address, descriptor));
    }

    private static MemoryLayout layout(Class<?> type) {
        return type == int.class ? JAVA_INT : type == long.class ? JAVA_LONG : ADDRESS;
    }

    private static @Nullable SymbolLookup load() {
        for (String name : NAMES) {
            try {
                SymbolLookup symbols = SymbolLookup.libraryLookup(name, Arena.global());
                keepDivisionByZero();
                return symbols;
            } catch (IllegalArgumentException notThere) {
                // The next name may be; the reason names all.
            }
        }
        return null;
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
        SetVariable call = bind(SetVariable.class, setenv);
        try (Arena arena = Arena.ofConfined()) {
            if (call.call(arena.allocateFrom("POCL_SIGFPE_HANDLER"), arena.allocateFrom("0"), 0) != 0) {
                throw new IllegalStateException("the environment variable POCL_SIGFPE_HANDLER cannot be set");
            }
        }
    }

    /** The C library's {@code setenv}. */
    public interface SetVariable {
        int call(MemorySegment name, MemorySegment value, int overwrite);
    }

    /** Loads on first use, not when providers are listed. */
    private static final class Holder {
        static final @Nullable SymbolLookup SYMBOLS = load();
    }

    /** Binds all functions once, so that a loader that is too old is an absence too. */
    private static final class Usable {
        static final @Nullable String ABSENCE = find();

        private static @Nullable String find() {
            if (Holder.SYMBOLS == null) {
                return ClLibrary.ABSENCE;
            }
            try {
                ClFunctions.touch();
                return null;
            } catch (RuntimeException | LinkageError unfit) {
                Throwable cause = unfit.getCause() == null ? unfit : unfit.getCause();
                return "libOpenCL cannot be used: " + cause.getMessage();
            }
        }
    }
}

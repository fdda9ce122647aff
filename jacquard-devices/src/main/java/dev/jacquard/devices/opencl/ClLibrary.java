package dev.jacquard.devices.opencl;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeEnvironment;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.base.foreign.SignalHandlers;
import java.lang.invoke.MethodHandles;
import java.util.Optional;

/**
 * The loader that finds the vendors' drivers, as this process found it: its functions, or why there are none. Loaded
 * once, for ever, and on first use, not when providers are listed. A loader that is too old is an absence too.
 */
final class ClLibrary {
    /** The variable that lets PoCL handle divisions by zero. */
    private static final String DIVISIONS = "POCL_SIGFPE_HANDLER";

    private static final String NO = "0";

    private ClLibrary() {}

    /** The reason why this package cannot be used; empty when it can. */
    static Optional<String> absence() {
        return functions().absence();
    }

    static Found<ClFunctions> functions() {
        return Holder.FUNCTIONS;
    }

    /** The loader, which is there. */
    static NativeLibrary library() {
        return Holder.LIBRARY.orThrow();
    }

    /** Saves the signal handlers that drivers must not keep. */
    static SignalHandlers handlers() {
        SignalHandlers all = SignalHandlers.save();
        return NativeEnvironment.get(DIVISIONS).filter(NO::equals).isPresent() ? all : all.without(SignalHandlers.FPE);
    }

    private static final class Holder {
        static final Found<NativeLibrary> LIBRARY = LibrarySearch.named("libOpenCL.so.1", "libOpenCL.so")
                .help("on Debian: apt-get install ocl-icd-libopencl1")
                .find();
        static final Found<ClFunctions> FUNCTIONS = LIBRARY.map(Holder::bind);

        /**
         * Asks PoCL to leave the signal of a division by zero alone. Its own handler steps over the instruction, and
         * Java, which makes an {@link ArithmeticException} of that signal, would go on with a wrong number. Must come
         * before the first call of the loader, which starts the drivers.
         */
        private static ClFunctions bind(NativeLibrary library) {
            NativeEnvironment.setIfAbsent(DIVISIONS, NO);
            return Binding.of(MethodHandles.lookup(), ClFunctions.class).to(library);
        }
    }
}

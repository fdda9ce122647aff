package dev.jacquard.devices.opencl;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeEnvironment;
import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.invoke.MethodHandles;
import java.util.Optional;

/**
 * The loader that finds the vendors' drivers, as this process found it: its functions, or why there are none. Loaded
 * once, for ever, and on first use, not when providers are listed. A loader that is too old is an absence too.
 */
final class ClLibrary {
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
            NativeEnvironment.setIfAbsent("POCL_SIGFPE_HANDLER", "0");
            return Binding.of(MethodHandles.lookup(), ClFunctions.class).to(library);
        }
    }
}

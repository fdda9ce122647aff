package dev.jacquard.memory.device;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A kernel as its author wrote it.
 *
 * @param language which compiler takes it
 * @param name where it comes from, for messages: {@code axpy.cl}
 * @param function which of its functions is the kernel
 * @param text the program
 * @param isExact true if each operation is to be rounded as it is written: nothing is contracted to a fused
 *     multiply-add, quotients and roots are the nearest numbers, small ones are no zeros; false for the compiler's
 *     defaults
 */
public record KernelSource(Language language, String name, String function, String text, boolean isExact) {
    /** A kernel that is compiled as the device's compiler does by itself. */
    public KernelSource(Language language, String name, String function, String text) {
        this(language, name, function, text, false);
    }

    /** Returns the same kernel, each operation of which is rounded as it is written. */
    public KernelSource exact() {
        return new KernelSource(language, name, function, text, true);
    }

    /** Which compiler takes a source. */
    public enum Language {
        /** OpenCL C. */
        OPENCL_C,
        /** CUDA C++ with kernels that are {@code extern "C" __global__}. */
        CUDA
    }

    /**
     * A source that lies next to a class as a resource. A named module opens the package to
     * {@code dev.jacquard.memory}.
     *
     * @throws IllegalArgumentException when there is none of that name, or the package is not open
     */
    public static KernelSource resource(Language language, Class<?> beside, String name, String function) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw absent(beside, name);
            }
            return new KernelSource(language, name, function, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the kernel source \"" + name + "\" cannot be read: " + e.getMessage(), e);
        }
    }

    private static IllegalArgumentException absent(Class<?> beside, String name) {
        Module module = beside.getModule();
        Module ours = KernelSource.class.getModule();
        String none = "there is no kernel source \"" + name + "\" next to " + beside.getName();
        if (!module.isNamed() || module.isOpen(beside.getPackageName(), ours)) {
            return new IllegalArgumentException(none);
        }
        String opens = "module " + module.getName() + " does not open package " + beside.getPackageName()
                + ": add \"opens " + beside.getPackageName() + " to " + ours.getName() + ";\" to its module-info.java";
        return new IllegalArgumentException(
                isThere(module, beside.getPackageName().replace('.', '/') + '/' + name)
                        ? "the kernel source \"" + name + "\" next to " + beside.getName() + " cannot be read, since "
                                + opens
                        : none + ", or it is hidden, since " + opens);
    }

    /** True if the module's own files have that name. */
    private static boolean isThere(Module module, String path) {
        ModuleLayer layer = module.getLayer();
        if (layer == null) {
            return false;
        }
        Optional<ResolvedModule> known = layer.configuration().findModule(module.getName());
        if (known.isEmpty()) {
            return false;
        }
        try (ModuleReader files = known.get().reference().open()) {
            return files.find(path).isPresent();
        } catch (IOException e) {
            return false;
        }
    }
}

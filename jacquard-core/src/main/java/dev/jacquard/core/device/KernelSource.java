package dev.jacquard.core.device;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A kernel as its author wrote it.
 *
 * @param language which compiler takes it
 * @param name where it comes from, for messages: {@code axpy.cl}
 * @param function which of its functions is the kernel
 * @param text the program
 */
public record KernelSource(Language language, String name, String function, String text) {
    /** Which compiler takes a source. */
    public enum Language {
        /** OpenCL C. */
        OPENCL_C,
        /** CUDA C++, whose kernels are {@code extern "C" __global__}. */
        CUDA
    }

    /**
     * A source that lies beside a class as a resource.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public static KernelSource resource(Language language, Class<?> beside, String name, String function) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "there is no kernel source \"" + name + "\" beside " + beside.getName());
            }
            return new KernelSource(language, name, function, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the kernel source \"" + name + "\" cannot be read: " + e.getMessage(), e);
        }
    }
}

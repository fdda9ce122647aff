package dev.jacquard.numerics.fft;

import dev.jacquard.base.service.Services;
import dev.jacquard.numerics.provider.LibraryProvider;
import java.util.List;
import java.util.ServiceLoader;

/** The Fourier transform libraries of this process, by name. */
public final class Ffts {
    private Ffts() {}

    /** All libraries that are known, whether or not this machine has them, the highest rank first. */
    public static List<FftProvider> providers() {
        return LibraryProvider.sorted(
                Services.all(FftProvider.class, loader -> ServiceLoader.load(FftProvider.class, loader)));
    }

    /**
     * The library called {@code name}; {@code auto} is the highest ranked one that this machine has.
     *
     * @throws IllegalArgumentException when there is no such name
     * @throws IllegalStateException when the machine lacks that library
     */
    public static FftProvider byName(String name) {
        return LibraryProvider.choose("FFT", providers(), name);
    }
}

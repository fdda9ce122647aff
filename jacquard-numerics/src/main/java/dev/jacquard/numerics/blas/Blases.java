package dev.jacquard.numerics.blas;

import dev.jacquard.base.service.Services;
import dev.jacquard.numerics.provider.LibraryProvider;
import java.util.List;
import java.util.ServiceLoader;

/** The libraries of linear algebra of this process, by name. */
public final class Blases {
    private Blases() {}

    /** All libraries that are known, whether or not this machine has them, the highest rank first. */
    public static List<BlasProvider> providers() {
        return LibraryProvider.sorted(
                Services.all(BlasProvider.class, loader -> ServiceLoader.load(BlasProvider.class, loader)));
    }

    /**
     * The library called {@code name}; {@code auto} is the highest ranked one that this machine has.
     *
     * @throws IllegalArgumentException when there is no such name
     * @throws IllegalStateException when the machine lacks that library
     */
    public static Blas open(String name) {
        return LibraryProvider.choose("BLAS", providers(), name).open();
    }
}

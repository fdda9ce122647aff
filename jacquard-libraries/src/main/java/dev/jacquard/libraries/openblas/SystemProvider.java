package dev.jacquard.libraries.openblas;

import dev.jacquard.numerics.openblas.OpenBlasProvider;

/** The OpenBLAS of the operating system, where it is installed. */
public final class SystemProvider extends OpenBlasProvider {
    /** For {@link java.util.ServiceLoader}. Ranks below the one from Maven, which is newer than distributions' are. */
    public SystemProvider() {
        super("openblas-system", 0, SystemLibrary::load);
    }
}

package dev.jacquard.numerics.openblas;

/** The default library: the OpenBLAS that comes as a jar from Maven. */
public final class BundledProvider extends OpenBlasProvider {
    /** For {@link java.util.ServiceLoader}. */
    public BundledProvider() {
        super("openblas", 10, BundledLibrary::load);
    }
}

package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.base.foreign.NativeMemory;
import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.BlasRoutines;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** An OpenBLAS that is loaded, wherever it was found. */
final class OpenBlas implements Blas {
    private final String name;
    private final String description;
    private final Settings settings;
    private final BlasRoutines<double[]> doublesInRows;
    private final BlasRoutines<double[]> doublesInColumns;
    private final BlasRoutines<float[]> floatsInRows;
    private final BlasRoutines<float[]> floatsInColumns;

    /** The library's functions about itself. */
    private interface Settings {
        @Symbol("openblas_set_num_threads")
        void threads(int threads);

        @Symbol("openblas_get_num_threads")
        int threads();

        @Symbol("openblas_get_config")
        MemorySegment configuration();

        @Symbol("openblas_get_corename")
        MemorySegment core();
    }

    /**
     * Binds the functions and sets the library to one thread.
     *
     * @throws IllegalStateException when {@code library} lacks a function
     */
    OpenBlas(String name, NativeLibrary library) {
        this.name = name;
        Functions doubles = new Functions(library, JAVA_DOUBLE);
        Functions floats = new Functions(library, JAVA_FLOAT);
        doublesInRows = new FactorRoutines<>(doubles, Layout.ROW_MAJOR);
        doublesInColumns = new FactorRoutines<>(doubles, Layout.COLUMN_MAJOR);
        floatsInRows = new FactorRoutines<>(floats, Layout.ROW_MAJOR);
        floatsInColumns = new FactorRoutines<>(floats, Layout.COLUMN_MAJOR);
        settings = Binding.of(MethodHandles.lookup(), Settings.class).to(library);
        description = NativeMemory.text(settings.configuration()).strip() + ", kernels for "
                + NativeMemory.text(settings.core()).strip();
        threads(1);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public BlasRoutines<double[]> doubles(Layout layout) {
        return layout == Layout.ROW_MAJOR ? doublesInRows : doublesInColumns;
    }

    @Override
    public BlasRoutines<float[]> floats(Layout layout) {
        return layout == Layout.ROW_MAJOR ? floatsInRows : floatsInColumns;
    }

    @Override
    public int threads() {
        return settings.threads();
    }

    @Override
    public void threads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("a call needs at least 1 thread, not " + threads);
        }
        settings.threads(threads);
    }

    @Override
    public String toString() {
        return name + " (" + description + ")";
    }
}

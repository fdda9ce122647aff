package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.BlasRoutines;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandleProxies;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/** An OpenBLAS that is loaded, wherever it was found. */
final class OpenBlas implements Blas {
    private final String name;
    private final String description;
    private final IntConsumer setThreads;
    private final IntSupplier getThreads;
    private final BlasRoutines<double[]> doublesInRows;
    private final BlasRoutines<double[]> doublesInColumns;
    private final BlasRoutines<float[]> floatsInRows;
    private final BlasRoutines<float[]> floatsInColumns;

    /**
     * Binds the functions and sets the library to one thread.
     *
     * @throws IllegalStateException when {@code symbols} lack a function
     */
    OpenBlas(String name, SymbolLookup symbols) {
        this.name = name;
        Functions doubles = new Functions(symbols, JAVA_DOUBLE);
        Functions floats = new Functions(symbols, JAVA_FLOAT);
        doublesInRows = new FactorRoutines<>(doubles, Layout.ROW_MAJOR);
        doublesInColumns = new FactorRoutines<>(doubles, Layout.COLUMN_MAJOR);
        floatsInRows = new FactorRoutines<>(floats, Layout.ROW_MAJOR);
        floatsInColumns = new FactorRoutines<>(floats, Layout.COLUMN_MAJOR);
        Function set = Function.bind(symbols, "openblas_set_num_threads", FunctionDescriptor.ofVoid(JAVA_INT));
        setThreads = MethodHandleProxies.asInterfaceInstance(IntConsumer.class, set.plain());
        Function get = Function.bind(symbols, "openblas_get_num_threads", FunctionDescriptor.of(JAVA_INT));
        getThreads = MethodHandleProxies.asInterfaceInstance(IntSupplier.class, get.plain());
        description = text(symbols, "openblas_get_config").strip() + ", kernels for "
                + text(symbols, "openblas_get_corename").strip();
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
        return getThreads.getAsInt();
    }

    @Override
    public void threads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("a call needs at least 1 thread, not " + threads);
        }
        setThreads.accept(threads);
    }

    @Override
    public String toString() {
        return name + " (" + description + ")";
    }

    private static String text(SymbolLookup symbols, String function) {
        try {
            MemorySegment text = (MemorySegment) Function.bind(symbols, function, FunctionDescriptor.of(ADDRESS))
                    .plain()
                    .invokeExact();
            return text.reinterpret(Long.MAX_VALUE).getString(0);
        } catch (Throwable thrown) {
            throw Function.thrown(thrown);
        }
    }
}

package dev.jacquard.libraries.fftw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;

/**
 * The functions of FFTW that are called, with their thread rules: plans are made and destroyed under one lock, since
 * the planner is not thread-safe; executing is safe from any thread.
 */
final class FftwCalls {
    /**
     * {@code FFTW_ESTIMATE}: plans by rules of thumb, in about 5 ms. {@code FFTW_MEASURE} took 350 ms on a two-core
     * EPYC and saved 0.05 ms of 0.35 ms per transform of 512 x 512 pixels, 1 ms of 2.7 ms at 1024 x 1024: no plate of
     * less than some hundred tiles gets that back.
     */
    private static final int ESTIMATE = 1 << 6;

    private final Object planner = new Object();
    /** From an image to its spectrum. */
    final Plan forward;
    /** From a spectrum, which it destroys, to an image. */
    final Plan inverse;
    /** Executes a plan. */
    final OnPlan execute;

    private final OnPlan destroy;

    /** A function that makes a plan. */
    public interface Plan {
        MemorySegment of(int rows, int columns, MemorySegment in, MemorySegment out, int flags);
    }

    /** A function of a plan. */
    public interface OnPlan {
        void call(MemorySegment plan);
    }

    FftwCalls(SymbolLookup symbols) {
        FunctionDescriptor plan = FunctionDescriptor.of(ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
        FunctionDescriptor onPlan = FunctionDescriptor.ofVoid(ADDRESS);
        forward = bind(Plan.class, symbols, "fftwf_plan_dft_r2c_2d", plan);
        inverse = bind(Plan.class, symbols, "fftwf_plan_dft_c2r_2d", plan);
        execute = bind(OnPlan.class, symbols, "fftwf_execute", onPlan);
        destroy = bind(OnPlan.class, symbols, "fftwf_destroy_plan", onPlan);
    }

    /** A plan in one direction. */
    MemorySegment plan(Plan direction, int rows, int columns, MemorySegment in, MemorySegment out) {
        synchronized (planner) {
            MemorySegment plan = direction.of(rows, columns, in, out, ESTIMATE);
            if (plan.address() == 0) {
                throw new IllegalStateException("FFTW has no plan for " + columns + " x " + rows + " pixels");
            }
            return plan;
        }
    }

    void destroy(MemorySegment plan) {
        synchronized (planner) {
            destroy.call(plan);
        }
    }

    private static <F> F bind(Class<F> function, SymbolLookup symbols, String name, FunctionDescriptor type) {
        MemorySegment address =
                symbols.find(name).orElseThrow(() -> new IllegalStateException("the library has no function " + name));
        MethodHandle handle = Linker.nativeLinker().downcallHandle(address, type);
        return MethodHandleProxies.asInterfaceInstance(function, handle);
    }
}

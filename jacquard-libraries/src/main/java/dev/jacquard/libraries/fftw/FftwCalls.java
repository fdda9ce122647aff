package dev.jacquard.libraries.fftw;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

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
    private final Functions functions;

    /** In single precision. */
    private interface Functions {
        @Symbol("fftwf_plan_dft_r2c_2d")
        MemorySegment forward(int rows, int columns, MemorySegment image, MemorySegment spectrum, int flags);

        @Symbol("fftwf_plan_dft_c2r_2d")
        MemorySegment inverse(int rows, int columns, MemorySegment spectrum, MemorySegment image, int flags);

        @Symbol("fftwf_execute")
        void execute(MemorySegment plan);

        @Symbol("fftwf_destroy_plan")
        void destroy(MemorySegment plan);
    }

    FftwCalls(NativeLibrary library) {
        functions = Binding.of(MethodHandles.lookup(), Functions.class).to(library);
    }

    /** Returns a plan from an image to its spectrum. */
    MemorySegment forward(int rows, int columns, MemorySegment image, MemorySegment spectrum) {
        synchronized (planner) {
            return there(functions.forward(rows, columns, image, spectrum, ESTIMATE), rows, columns);
        }
    }

    /** Returns a plan from a spectrum, which it destroys, to an image. */
    MemorySegment inverse(int rows, int columns, MemorySegment spectrum, MemorySegment image) {
        synchronized (planner) {
            return there(functions.inverse(rows, columns, spectrum, image, ESTIMATE), rows, columns);
        }
    }

    private static MemorySegment there(MemorySegment plan, int rows, int columns) {
        if (plan.address() == 0) {
            throw new IllegalStateException("FFTW has no plan for " + columns + " x " + rows + " pixels");
        }
        return plan;
    }

    void execute(MemorySegment plan) {
        functions.execute(plan);
    }

    void destroy(MemorySegment plan) {
        synchronized (planner) {
            functions.destroy(plan);
        }
    }
}

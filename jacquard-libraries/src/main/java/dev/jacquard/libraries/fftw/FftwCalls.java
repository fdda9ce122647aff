package dev.jacquard.libraries.fftw;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.ReentrantLock;

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
    static final int ESTIMATE = 1 << 6;

    private final ReentrantLock planner = new ReentrantLock();
    private final MethodHandle planForward;
    private final MethodHandle planInverse;
    private final MethodHandle execute;
    private final MethodHandle destroy;

    FftwCalls(SymbolLookup symbols) {
        FunctionDescriptor plan = FunctionDescriptor.of(ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
        FunctionDescriptor onPlan = FunctionDescriptor.ofVoid(ADDRESS);
        planForward = bind(symbols, "fftwf_plan_dft_r2c_2d", plan);
        planInverse = bind(symbols, "fftwf_plan_dft_c2r_2d", plan);
        execute = bind(symbols, "fftwf_execute", onPlan);
        destroy = bind(symbols, "fftwf_destroy_plan", onPlan);
    }

    /** A plan from {@code image} to {@code spectrum}. */
    MemorySegment planForward(int rows, int columns, MemorySegment image, MemorySegment spectrum, int flags) {
        return plan(planForward, rows, columns, image, spectrum, flags);
    }

    /** A plan from {@code spectrum}, which it destroys, to {@code image}. */
    MemorySegment planInverse(int rows, int columns, MemorySegment spectrum, MemorySegment image, int flags) {
        return plan(planInverse, rows, columns, spectrum, image, flags);
    }

    void execute(MemorySegment plan) {
        call(execute, plan);
    }

    void destroy(MemorySegment plan) {
        planner.lock();
        try {
            call(destroy, plan);
        } finally {
            planner.unlock();
        }
    }

    private MemorySegment plan(
            MethodHandle function, int rows, int columns, MemorySegment in, MemorySegment out, int flags) {
        planner.lock();
        try {
            MemorySegment plan = (MemorySegment) function.invokeExact(rows, columns, in, out, flags);
            if (plan.address() == 0) {
                throw new IllegalStateException("FFTW has no plan for " + columns + " x " + rows + " pixels");
            }
            return plan;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        } finally {
            planner.unlock();
        }
    }

    private static void call(MethodHandle function, MemorySegment plan) {
        try {
            function.invokeExact(plan);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static MethodHandle bind(SymbolLookup symbols, String name, FunctionDescriptor type) {
        MemorySegment address =
                symbols.find(name).orElseThrow(() -> new IllegalStateException("the library has no function " + name));
        return Linker.nativeLinker().downcallHandle(address, type);
    }
}

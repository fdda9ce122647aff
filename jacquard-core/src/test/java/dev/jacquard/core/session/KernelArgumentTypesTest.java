package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.SourceKernel;
import java.math.BigDecimal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Numbers and elements are held against the parameters in a kernel's source when a task is submitted, wherever it is to
 * run.
 */
class KernelArgumentTypesTest {
    private static final String OPENCL = """
            /* not this one: kernel void scale(int n); */
            kernel void scale(double a, global const double *x, __global double * restrict y, long n) { }
            """;
    private static final String CUDA = """
            #include <cstdint>
            extern "C" __global__ void __launch_bounds__(256)
            scale(const double a, const double* __restrict__ x, // the input
                  double *y, long long n) { y[0] = scale(1); }
            """;

    private final Session session =
            Session.builder().workers(1).devices("emulated0").open();
    private final Data real = session.data().vector("real", new double[] {1, 2});
    private final Data single = session.data().vector("single", new float[] {1, 2});
    private final Data out = session.data().vector("out", new double[2]);

    @AfterEach
    void theSessionStillWorksAndCloses() {
        assertEquals(1, session.graph().task("last").call(context -> 1).join());
        session.close();
    }

    private static Kernel kernel(Language language, String text) {
        ExecutionTarget kind = language == Language.CUDA ? ExecutionTarget.CUDA : ExecutionTarget.OPENCL;
        return Kernel.named("scale")
                .onHost(arguments -> {})
                .onDevice(kind, SourceKernel.perElement(source(language, text)));
    }

    private static KernelSource source(Language language, String text) {
        return new KernelSource(language, "scale.txt", "scale", text);
    }

    private Throwable refusal(Kernel kernel, Data from, Number... numbers) {
        return assertThrows(
                IllegalArgumentException.class,
                () -> session.graph().task("t").reads(from).updates(out).run(kernel, numbers));
    }

    @ParameterizedTest
    @ValueSource(strings = {OPENCL, CUDA})
    void anotherElementTypeIsRefusedWhereverTheTaskIsToRun(String text) {
        Language language = text.equals(CUDA) ? Language.CUDA : Language.OPENCL_C;
        Kernel kernel = kernel(language, text);
        assertMentions(
                refusal(kernel, single, 2.0),
                "task \"t\"",
                "parameter 2",
                "elements of type float64",
                "data of type float32",
                "arguments:  Double 2.0, data of float32, data of float64, Long 2");
        for (ExecutionTarget target : new ExecutionTarget[] {ExecutionTarget.HOST, ExecutionTarget.EMULATED}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> session.graph()
                            .task("t")
                            .on(target)
                            .reads(single)
                            .updates(out)
                            .run(kernel, 2.0));
        }
        assertDoesNotThrow(() -> session.graph()
                .task("t")
                .reads(real)
                .updates(out)
                .run(kernel, 2.0)
                .join());
    }

    @ParameterizedTest
    @ValueSource(strings = {OPENCL, CUDA})
    void anotherClassOfNumberIsRefused(String text) {
        Kernel kernel = kernel(text.equals(CUDA) ? Language.CUDA : Language.OPENCL_C, text);
        assertMentions(refusal(kernel, real, 2), "parameter 1", "takes a Double", "Integer 2");
        assertMentions(refusal(kernel, real, 2f), "takes a Double", "Float 2.0");
        assertMentions(refusal(kernel, real), "takes 4 arguments, not 3", "parameters: ");
        assertMentions(refusal(kernel, real, 2.0, 3.0), "takes 4 arguments, not 5");
    }

    @Test
    void lengthsAreComparedWhereverTheTaskIsToRun() {
        Data longer = session.data().vector("longer", new double[3]);
        assertMentions(refusal(kernel(Language.OPENCL_C, OPENCL), longer, 2.0), "longer[0 until 3] has 3");
    }

    @Test
    void aParameterForTheNumberOfItemsIsALong() {
        String text = "kernel void scale(global double* x, global double* y, int n) {}";
        assertMentions(refusal(kernel(Language.OPENCL_C, text), real), "parameter 3, \"int n\"", "Integer", "Long 2");
    }

    @Test
    void extentsAreArgumentsToo() {
        String text = "kernel void scale(global float* x, long rows, long columns, global float* y, long r) {}";
        Kernel kernel = Kernel.named("scale")
                .onDevice(
                        ExecutionTarget.EMULATED,
                        new SourceKernel(source(Language.OPENCL_C, text), work -> LaunchShape.of(1)).withExtents());
        Data x = session.data().matrix("x", new float[6], 2, 3);
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> session.graph().task("t").reads(x).updates(x).run(kernel)),
                "takes 5 arguments, not 6",
                "data of float32, Long 2, Long 3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "typedef double real; kernel void scale(real a, global real* x, global real* y, long n) {}",
                "#define REAL double\nkernel void scale(REAL a, global REAL* x, global REAL* y, long n) {}",
                "#define ALL double a, global double* x\nkernel void scale(ALL, global double* y, long n) {}",
                "#define P(x) global double* x\nkernel void scale(double a, P(x), P(y), long n) {}",
                "kernel void scale(double a, global struct s* x, global void* y, long n) {}",
                "kernel void scale(float a, global float* x, global float* y, long n) {}\n"
                        + "kernel void scale(double a, global double* x, global double* y, long n) {}",
                "kernel void other(int n) {}",
                "kernel void scale(",
                ""
            })
    void typesThatTheTextDoesNotTellFitEverything(String text) {
        Kernel kernel = kernel(Language.OPENCL_C, text);
        assertDoesNotThrow(() -> session.graph()
                .task("t")
                .reads(single)
                .updates(out)
                .run(kernel, 2.0)
                .join());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kernel void scale(uint a, global const unsigned int* x, global double2* y, ulong n) {}",
                "__kernel __attribute__((reqd_work_group_size(1,1,1)))"
                        + " void scale(int a, global uint x[], global double*y, size_t n) {}",
                "void helper(int scale) { g(scale(1)); }"
                        + " kernel void scale(unsigned a, constant int4 *x, global double *y, long n);"
            })
    void wordsOfTypesAreUnderstood(String text) {
        Data ints = session.data().vector("ints", new int[] {1, 2});
        Kernel kernel = kernel(Language.OPENCL_C, text);
        assertDoesNotThrow(() -> session.graph()
                .task("t")
                .reads(ints)
                .updates(out)
                .run(kernel, 2)
                .join());
        assertMentions(refusal(kernel, single, 2), "elements of type int32", "float32");
        assertMentions(refusal(kernel, ints, 2L), "takes an Integer", "Long 2");
    }

    @Test
    void numbersThatNoDeviceTakesAreRefused() {
        Kernel kernel = Kernel.named("k").onHost(arguments -> {});
        assertMentions(
                refusal(kernel, real, (short) 1),
                "number 1 for kernel \"k\"",
                "Short 1",
                "Integer, Long, Float or Double");
        assertMentions(refusal(kernel, real, 1, BigDecimal.ONE), "number 2", "BigDecimal");
    }

    @Test
    void aWholeNumberIsNotMadeOfAFraction() {
        Kernel kernel = Kernel.named("k").onHost(arguments -> arguments.integer(0));
        Task<?> task = session.graph().task("t").run(kernel, 2.7);
        assertMentions(
                assertThrows(TaskFailedException.class, task::join), "Double 2.7", "whole number", "Integer or a Long");
        session.graph().await();
    }

    // ---- elements in host memory

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void elementsAreReadAsWhatTheyAre(boolean checking) {
        SessionBuilder builder = Session.builder().workers(1);
        try (Session its = (checking ? builder.checking() : builder.noChecking()).open()) {
            Data x = its.data().vector("x", new float[] {1, 2});
            Task<?> task = its.graph()
                    .task("t")
                    .reads(x)
                    .run(context -> context.memory(x).getDouble(0));
            assertMentions(
                    assertThrows(TaskFailedException.class, task::join),
                    "asks for elements of type double",
                    "float32 x 2",
                    "getFloat and setFloat",
                    "float64");
            its.graph().await();
        }
    }

    @Test
    void everyAccessorRefusesEveryOtherType() {
        for (DataType type : DataType.values()) {
            Data x = session.data().matrix("x", type, 2, 2);
            session.graph()
                    .task("t")
                    .writes(x)
                    .run(context -> {
                        Memory its = context.memory(x);
                        check(
                                type == DataType.INT8,
                                () -> its.setByte(1, 1, (byte) 1),
                                () -> its.getByte(1, 1),
                                () -> its.getByte(3));
                        check(
                                type == DataType.INT32,
                                () -> its.setInt(1, 1, 1),
                                () -> its.getInt(1, 1),
                                () -> its.addInt(3, 1));
                        check(
                                type == DataType.INT64,
                                () -> its.setLong(1, 1, 1),
                                () -> its.getLong(1, 1),
                                () -> its.addLong(3, 1));
                        check(
                                type == DataType.FLOAT32,
                                () -> its.setFloat(1, 1, 1),
                                () -> its.getFloat(1, 1),
                                () -> its.addFloat(3, 1));
                        check(
                                type == DataType.FLOAT64,
                                () -> its.setDouble(1, 1, 1),
                                () -> its.getDouble(1, 1),
                                () -> its.addDouble(1, 1, 1));
                    })
                    .join();
        }
    }

    private static void check(boolean fits, Runnable... all) {
        for (Runnable one : all) {
            if (fits) {
                assertDoesNotThrow(one::run);
            } else {
                assertThrows(IllegalStateException.class, one::run);
            }
        }
    }
}

package dev.jacquard.expressions.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.testkit.Rounds;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The texts of kernels; those in CUDA C are compiled for the host, where they compute the interpreter's bits. */
class KernelTextTest {
    private static final int BODIES = Rounds.some(Integer.getInteger("bodies", 45));
    private static final double[] PARAMETERS = {0.1, -3};
    /** The words of CUDA that texts use, for a compiler of the host. */
    private static final String PRELUDE = """
            #include <cmath>
            #include <cstring>
            #define __global__
            #define __device__
            struct Index { long long x, y, z; };
            static const Index blockDim = {1, 1, 1}, threadIdx = {0, 0, 0};
            extern "C" { Index blockIdx; }
            static long long __double_as_longlong(double d) { long long i; memcpy(&i, &d, 8); return i; }
            static double __longlong_as_double(long long i) { double d; memcpy(&d, &i, 8); return d; }
            static int __float_as_int(float f) { int i; memcpy(&i, &f, 4); return i; }
            static float __int_as_float(int i) { float f; memcpy(&f, &i, 4); return f; }
            """;

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"FLOAT64", "FLOAT32"})
    void textsInCudaComputeTheBitsOfTheInterpreter(DataType type) throws Throwable {
        List<LoopBody> bodies = new ArrayList<>();
        StringBuilder text = new StringBuilder(PRELUDE);
        for (int seed = 0; seed < BODIES; seed++) {
            RandomGenerator random = new Random(seed);
            LoopBody body = seed == 0
                    ? RandomBody.special(type)
                    : RandomBody.of(random, type, 1 + seed % 3, random.nextInt(1, 150));
            bodies.add(body);
            text.append("namespace n")
                    .append(seed)
                    .append(" {\n")
                    .append(cuda(body, seed))
                    .append("}\n");
        }
        Path source = Files.writeString(folder.resolve("loops.cpp"), text);
        Path library = folder.resolve("loops.so");
        run("g++", "-O1", "-ffp-contract=off", "-fwrapv", "-shared", "-fPIC", "-o", "" + library, "" + source);
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup symbols = SymbolLookup.libraryLookup(library, arena);
            for (int seed = 0; seed < BODIES; seed++) {
                compare(arena, symbols, bodies.get(seed), seed);
            }
        }
    }

    private static String cuda(LoopBody body, int number) {
        return KernelLoop.of(
                        body,
                        Language.CUDA,
                        new int[body.inputs() + body.results().size()])
                .source()
                .text()
                .replace("void loop(", "void loop" + number + "(");
    }

    private static void compare(Arena arena, SymbolLookup symbols, LoopBody body, int seed) throws Throwable {
        boolean single = body.type() == DataType.FLOAT32;
        Range range = new Range(seed % 5, seed == 0 ? 300 : 23, 0, seed % 3 > 0 ? 3 : 1, 0, seed % 3 > 1 ? 2 : 1);
        Fields fields = new Fields(arena, body, single, range, new Random(seed));
        Fields found = fields.copy(arena);
        new Interpreter(body).run(fields.bind(body), PARAMETERS, range);
        Binding binding = found.bind(body);
        ToldStream stream = new ToldStream(Map.of());
        List<DeviceBuffer> memories = new ArrayList<>();
        List<Binding.Place> places = new ArrayList<>();
        int count = body.inputs() + body.results().size();
        for (int field = 0; field < count; field++) {
            memories.add(new ToldStream.Buffer(stream.device(), binding.segment(field)));
            places.add(binding.place(field));
        }
        KernelLoop.of(body, Language.CUDA, new int[count]).launch(stream, memories, places, PARAMETERS, range);
        List<Object> arguments = new ArrayList<>();
        stream.arguments().forEach(one -> arguments.add(one instanceof ToldStream.Buffer its ? its.segment() : one));
        MethodHandle kernel = Linker.nativeLinker()
                .downcallHandle(
                        symbols.find("loop" + seed).orElseThrow(),
                        FunctionDescriptor.ofVoid(
                                arguments.stream().map(KernelTextTest::layout).toArray(MemoryLayout[]::new)));
        MemorySegment item = symbols.find("blockIdx").orElseThrow().reinterpret(24);
        for (long z = 0; z < 3; z++) { // some items more than there are points
            for (long y = 0; y < 4; y++) {
                for (long x = 0; x < range.x1(); x++) {
                    item.setAtIndex(ValueLayout.JAVA_LONG, 0, x);
                    item.setAtIndex(ValueLayout.JAVA_LONG, 1, y);
                    item.setAtIndex(ValueLayout.JAVA_LONG, 2, z);
                    kernel.invokeWithArguments(arguments);
                }
            }
        }
        assertEquals("", found.difference(fields, 1), () -> "seed " + seed + ", " + range + "\n" + cuda(body, seed));
    }

    private static MemoryLayout layout(Object argument) {
        return switch (argument) {
            case Integer _ -> ValueLayout.JAVA_INT;
            case Long _ -> ValueLayout.JAVA_LONG;
            case Float _ -> ValueLayout.JAVA_FLOAT;
            case Double _ -> ValueLayout.JAVA_DOUBLE;
            default -> ValueLayout.ADDRESS;
        };
    }

    /** The vendor's compiler takes the texts, and contracts nothing. */
    @Test
    void textsInCudaAreTakenByTheVendorsCompiler() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int seed = 0; seed < 40; seed++) {
            RandomGenerator random = new Random(seed);
            DataType type = seed % 2 == 0 ? DataType.FLOAT64 : DataType.FLOAT32;
            LoopBody body = RandomBody.of(random, type, 3, random.nextInt(1, 60));
            text.append("namespace n")
                    .append(seed)
                    .append(" {\n")
                    .append(cuda(body, seed))
                    .append("}\n");
        }
        Path source = Files.writeString(folder.resolve("loops.cu"), text);
        Path made = folder.resolve("loops.ptx");
        run(
                "nvcc",
                "-ptx",
                "-arch=sm_90",
                "--fmad=false",
                "--ftz=false",
                "--prec-div=true",
                "-o",
                "" + made,
                "" + source);
        String code = Files.readString(made);
        assertTrue(code.contains(".entry loop0("), code);
        assertTrue(code.contains("mul.f64") || code.contains("mul.rn.f64"), code);
        assertFalse(code.contains("fma.rn") || code.contains(".ftz"), code);
    }

    /** Runs a compiler; where it is not installed, the test is skipped. */
    private static void run(String... command) throws IOException, InterruptedException {
        List<String> path = List.of(System.getenv("PATH").split(File.pathSeparator, -1));
        assumeTrue(
                path.stream().anyMatch(one -> Files.isExecutable(Path.of(one, command[0]))),
                command[0] + " is not installed");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    // ---- what texts have in common, and what devices are refused for

    private static LoopBody body(DataType type, int inputs, int constants, Operator operator) {
        BodyBuilder builder = new BodyBuilder(type);
        Value value = builder.input(0, 0, 0, 0);
        for (int i = 1; i < inputs; i++) {
            value = builder.apply(operator, value, builder.input(i, 0, 0, 0));
        }
        for (int i = 0; i < constants; i++) {
            value = builder.apply(operator, value, builder.constant(1.5 + i));
        }
        return builder.build(inputs, List.of(value));
    }

    private static String text(LoopBody body, int... layouts) {
        return KernelLoop.of(body, Language.OPENCL_C, layouts).source().text();
    }

    @Test
    void bodiesThatDifferInConstantsShareAText() {
        BodyBuilder builder = new BodyBuilder(DataType.FLOAT64);
        LoopBody other =
                builder.build(1, List.of(builder.apply(Operator.ADD, builder.input(0, 0, 0, 0), builder.constant(7))));
        assertEquals(text(other, 0, 0), text(body(DataType.FLOAT64, 1, 1, Operator.ADD), 0, 0));
        assertNotEquals(text(other, 0, 0), text(other, 0, 1), "fields that lie in another way");
        assertTrue(KernelLoop.of(other, Language.CUDA, 0, 0).source().isExact());
        assertTrue(text(other, 0, 0).startsWith("#pragma OPENCL FP_CONTRACT OFF\n"));
    }

    @Test
    void constantsBeyondTheArgumentsOfADeviceAreWrittenDown() {
        LoopBody many = body(DataType.FLOAT64, 1, 200, Operator.ADD);
        assertTrue(text(many, 0, 0).contains("as_double((long) 0x3ff8000000000000ul)"), () -> text(many, 0, 0));
        assertFalse(text(many, 0, 0).contains("double c0"));
        assertTrue(text(body(DataType.FLOAT64, 1, 20, Operator.ADD), 0, 0).contains("double c19"));
    }

    @Test
    void aKernelHasALayoutForEachField() {
        String message = assertThrows(
                        IllegalArgumentException.class, () -> text(body(DataType.FLOAT64, 1, 1, Operator.ADD), 0))
                .getMessage();
        assertEquals("a body of 2 fields has as many layouts, not 1", message);
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT64,double_precision,ADD,2,has no double precision",
        "FLOAT32,float_denormals,ADD,2,below 2^-126",
        "FLOAT32,float_rounded_division,DIVIDE,2,rounds quotients",
        "FLOAT64,nothing,ADD,200,takes 1024 bytes of arguments",
        "FLOAT32,nothing,SHIFTS,2,for too long"
    })
    void aDeviceThatWouldChangeBitsIsRefused(
            DataType type, String property, String operator, int inputs, String reason) {
        boolean isLong = operator.equals("SHIFTS");
        LoopBody body = body(type, inputs, isLong ? 6_000 : 1, isLong ? Operator.ADD : Operator.valueOf(operator));
        ToldStream stream = new ToldStream(Map.of(property, "false"));
        List<DeviceBuffer> memories = new ArrayList<>();
        List<Binding.Place> places = new ArrayList<>();
        for (int field = 0; field <= inputs; field++) {
            memories.add(new ToldStream.Buffer(stream.device(), MemorySegment.NULL));
            places.add(new Binding.Place(MemorySegment.NULL, 0, 0, 0));
        }
        KernelLoop loop = KernelLoop.of(body, Language.CUDA, new int[inputs + 1]);
        Range range = new Range(0, 1, 0, 1, 0, 1);
        String message = assertThrows(
                        DeviceException.class, () -> loop.launch(stream, memories, places, new double[0], range))
                .getMessage();
        assertTrue(
                String.valueOf(message).matches("told0 \\(a device on paper\\) .*" + Pattern.quote(reason) + ".*"),
                message);
    }

    @Test
    void anotherPrecisionOrOperationIsNotRefused() {
        ToldStream floats = new ToldStream(Map.of("double_precision", "false", "float_rounded_division", "false"));
        LoopBody sum = body(DataType.FLOAT32, 2, 1, Operator.ADD);
        assertTrue(KernelLoop.of(sum, Language.CUDA, 0, 0, 0)
                .refusal(floats.device())
                .isEmpty());
        LoopBody quotient = body(DataType.FLOAT64, 2, 1, Operator.DIVIDE);
        ToldStream doubles = new ToldStream(Map.of("float_denormals", "false", "float_rounded_division", "false"));
        assertTrue(KernelLoop.of(quotient, Language.CUDA, 0, 0, 0)
                .refusal(doubles.device())
                .isEmpty());
    }
}

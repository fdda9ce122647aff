package dev.jacquard.base.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.foreign.Binding.CallState;
import dev.jacquard.base.foreign.Binding.CapturesErrno;
import dev.jacquard.base.foreign.Binding.Critical;
import dev.jacquard.base.foreign.Binding.IfPresent;
import dev.jacquard.base.foreign.Binding.Narrow;
import dev.jacquard.base.foreign.Binding.Status;
import dev.jacquard.base.foreign.Binding.Symbol;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Interfaces bound to functions of the C library. */
class BindingTest {
    private static final NativeLibrary C = NativeLibrary.ofC();

    interface Texts {
        long strlen(MemorySegment text);

        @Symbol("strncmp")
        int compare(MemorySegment one, MemorySegment other, long bytes);

        /** Not a function. */
        default long length(String text) {
            try (Arena arena = Arena.ofConfined()) {
                return strlen(arena.allocateFrom(text));
            }
        }
    }

    @Test
    void methodsCallTheFunctionsOfTheirNamesOrSymbols() {
        Texts texts = Binding.of(MethodHandles.lookup(), Texts.class).to(C);
        assertEquals(6, texts.length("thread"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom("same, not");
            MemorySegment other = arena.allocateFrom("same, but");
            assertEquals(0, texts.compare(one, other, 6));
            assertTrue(texts.compare(one, other, 7) > 0);
        }
    }

    interface Absolute {
        @Symbol("?abs")
        @Narrow
        long abs(@Narrow long number);

        @Symbol("s?rt")
        @Narrow
        double root(@Narrow double number);
    }

    @Test
    void oneInterfaceServesTwoWidths() {
        Absolute wide = Binding.of(MethodHandles.lookup(), Absolute.class)
                .named(name -> name.equals("?abs") ? "labs" : "sqrt")
                .to(C);
        Absolute narrow = Binding.of(MethodHandles.lookup(), Absolute.class)
                .named(name -> name.equals("?abs") ? "abs" : "sqrtf")
                .narrow()
                .to(C);
        assertEquals(1L << 40, wide.abs(-(1L << 40)));
        assertEquals(5, narrow.abs((1L << 40) - 5));
        assertEquals(Math.sqrt(2), wide.root(2));
        assertEquals((float) Math.sqrt(2), narrow.root(2));
    }

    @Status
    interface Variables {
        void setenv(MemorySegment name, MemorySegment value, int overwrite);

        long getenv(MemorySegment name);
    }

    @Test
    void aStatusBecomesTheExceptionOfItsLibrary() {
        Variables variables = Binding.of(MethodHandles.lookup(), Variables.class)
                .failing((function, status) -> new UnsupportedOperationException(function + ": " + status))
                .to(C);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom("JACQUARD_BINDING_TEST");
            variables.setenv(name, arena.allocateFrom("set"), 1);
            assertEquals("set", NativeMemory.text(variables.getenv(name)));
            MemorySegment bad = arena.allocateFrom("a=b");
            Exception failed = assertThrows(UnsupportedOperationException.class, () -> variables.setenv(bad, name, 1));
            assertEquals("setenv: -1", failed.getMessage());
        }
    }

    interface OneStatus {
        @Status
        void chdir(MemorySegment folder);

        void srand(int seed);
    }

    @Test
    void aStatusIsThatOfOneMethodWhereOneIsMarked() {
        OneStatus functions =
                Binding.of(MethodHandles.lookup(), OneStatus.class).to(C);
        functions.srand(3);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nowhere = arena.allocateFrom("/no/such/folder");
            Exception failed = assertThrows(IllegalStateException.class, () -> functions.chdir(nowhere));
            assertEquals("chdir failed with status -1", failed.getMessage());
        }
    }

    interface Errors {
        @CapturesErrno
        int chdir(MemorySegment state, MemorySegment folder);
    }

    @Test
    void errnoIsKept() {
        Errors errors = Binding.of(MethodHandles.lookup(), Errors.class).to(C);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CallState.allocate(arena);
            assertEquals(-1, errors.chdir(state, arena.allocateFrom("/no/such/folder")));
            assertEquals(2, CallState.errno(state), "ENOENT");
        }
    }

    interface CriticalTexts {
        @Critical(heap = true)
        long strlen(MemorySegment text);

        @Critical
        @CapturesErrno
        int chdir(MemorySegment state, MemorySegment folder);
    }

    @Test
    void criticalFunctionsTakeArrays() {
        CriticalTexts texts =
                Binding.of(MethodHandles.lookup(), CriticalTexts.class).to(C);
        MemorySegment array = MemorySegment.ofArray("array\0".getBytes(StandardCharsets.US_ASCII));
        assertEquals(5, texts.strlen(array));
        Texts all =
                Binding.of(MethodHandles.lookup(), Texts.class).critical(true).to(C);
        assertEquals(5, all.strlen(array));
        Texts nativeOnly = Binding.of(MethodHandles.lookup(), Texts.class).to(C);
        assertThrows(IllegalArgumentException.class, () -> nativeOnly.strlen(array));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CallState.allocate(arena);
            assertEquals(-1, texts.chdir(state, arena.allocateFrom("/no/such/folder")));
            assertEquals(2, CallState.errno(state), "ENOENT");
        }
    }

    interface Newer {
        long strlen(MemorySegment text);

        @IfPresent
        @Symbol("since_version_999")
        int newest(int a);

        @IfPresent
        @Symbol("since_version_998")
        default int newer(int a) {
            return -a;
        }

        @IfPresent
        @Symbol("abs")
        default int positive(int a) {
            return -1;
        }
    }

    @Test
    void aFunctionMayBeAbsent() {
        Newer functions = Binding.of(MethodHandles.lookup(), Newer.class).to(C);
        assertFalse(C.has("since_version_999"));
        Exception absent = assertThrows(IllegalStateException.class, () -> functions.newest(1));
        assertEquals("the C library has no function since_version_999", absent.getMessage());
        assertEquals(-7, functions.newer(7));
        assertEquals(7, functions.positive(-7));
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(3, functions.strlen(arena.allocateFrom("abc")));
        }
    }

    interface Wrong {
        int none1();

        int none2();

        int none3();

        int none4();

        long strlen(MemorySegment text);
    }

    @Test
    void missingFunctionsAreNamed() {
        Binding<Wrong> binding = Binding.of(MethodHandles.lookup(), Wrong.class);
        Exception missing = assertThrows(IllegalStateException.class, () -> binding.to(C));
        assertEquals("it has no function none1, none2, none3 and 1 more", missing.getMessage());
        assertEquals(
                "the C library cannot be used: it has no function none1, none2, none3 and 1 more",
                Found.of(C).map(binding::to).absence().orElseThrow());
    }

    @Test
    void typesAreThoseOfTheMethods() {
        assertEquals(
                Map.of(
                        "strlen", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                        "strncmp",
                                FunctionDescriptor.of(
                                        ValueLayout.JAVA_INT,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.ADDRESS,
                                        ValueLayout.JAVA_LONG)),
                Binding.of(MethodHandles.lookup(), Texts.class).functions());
        assertEquals(
                List.of(FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS)),
                List.copyOf(Binding.of(MethodHandles.lookup(), Errors.class)
                        .functions()
                        .values()));
        assertEquals(
                FunctionDescriptor.of(ValueLayout.JAVA_FLOAT, ValueLayout.JAVA_FLOAT),
                Binding.of(MethodHandles.lookup(), Absolute.class)
                        .narrow()
                        .functions()
                        .get("s?rt"));
    }

    interface TextArgument {
        int atoi(String text);
    }

    interface StatusWithResult {
        @Status
        int chdir(MemorySegment folder);
    }

    interface NarrowInt {
        int abs(@Narrow int number);
    }

    interface ErrnoOfNothing {
        @CapturesErrno
        int abs(int number);
    }

    @Test
    void methodsThatAreNoFunctionsAreRefused() {
        assertRefused(TextArgument.class, "method atoi of ", "has the type java.lang.String: functions of C take");
        assertRefused(StatusWithResult.class, "method chdir of ", "is marked as @Status and has a result");
        assertRefused(NarrowInt.class, "method abs of ", "only long and double can be");
        assertRefused(ErrnoOfNothing.class, "method abs of ", "its first parameter is no MemorySegment");
        assertRefused(String.class, "functions are bound to an interface, not to java.lang.String", "");
    }

    private static void assertRefused(Class<?> type, String start, String part) {
        Exception refused = assertThrows(
                IllegalArgumentException.class,
                () -> Binding.of(MethodHandles.lookup(), type).to(C));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith(start) && message.contains(part), message);
    }

    @Test
    void aLookupFromElsewhereIsRefused() {
        Exception refused = assertThrows(
                IllegalArgumentException.class,
                () -> Binding.of(MethodHandles.publicLookup(), Texts.class).to(C));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("MethodHandles.lookup() of a class"),
                refused::getMessage);
    }
}

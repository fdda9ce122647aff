package dev.jacquard.base.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SignalHandlersTest {
    /** {@code SIGWINCH}, which neither the JVM nor tests use. */
    private static final int WINDOW = 28;

    /** {@code SIGUSR1}, as little used. */
    private static final int USER = 10;

    private static final long IGNORED = 1;

    private static void ignore(int signal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment action = arena.allocate(152, 8);
            action.set(ValueLayout.JAVA_LONG, 0, IGNORED);
            CLibrary.C.sigaction(signal, action, MemorySegment.NULL);
        }
    }

    private static void assumeSupported() {
        assumeTrue(
                SignalHandlers.unsupported().isEmpty(),
                () -> SignalHandlers.unsupported().orElseThrow());
    }

    @Test
    void handlersThatWereReplacedComeBack() {
        assumeSupported();
        long before = SignalHandlers.handler(WINDOW);
        SignalHandlers saved = SignalHandlers.save();
        try {
            assertEquals(List.of(), saved.changed());
            ignore(WINDOW);
            ignore(USER);
            assertEquals(IGNORED, SignalHandlers.handler(WINDOW));
            assertEquals(List.of(USER, WINDOW), saved.changed());
            saved.restore();
            assertEquals(List.of(), saved.changed());
            ignore(WINDOW);
        } finally {
            saved.restore();
        }
        assertEquals(before, SignalHandlers.handler(WINDOW));
    }

    @Test
    void onlySavedHandlersComeBack() {
        assumeSupported();
        SignalHandlers all = SignalHandlers.save();
        try {
            SignalHandlers one = SignalHandlers.save(WINDOW);
            ignore(WINDOW);
            ignore(USER);
            one.restore();
            assertEquals(List.of(USER), all.changed());
            all.without(USER).restore();
            assertEquals(List.of(USER), all.changed());
        } finally {
            all.restore();
        }
    }

    /** The JVM goes on after null pointers and divisions by zero that its handlers find. */
    @Test
    void handlersOfTheJvmAreItsOwnLibrarys() {
        assumeSupported();
        SignalHandlers.save().restore();
        for (int signal : new int[] {SignalHandlers.SEGV, SignalHandlers.BUS, SignalHandlers.FPE, SignalHandlers.ILL}) {
            assertNotEquals(0, SignalHandlers.handler(signal));
            String owner = SignalHandlers.owner(signal).orElseThrow();
            assertTrue(owner.endsWith("libjvm.so"), owner);
        }
        assertEquals(Optional.empty(), SignalHandlers.owner(WINDOW));
    }

    @Test
    void aSignalWithoutHandlerIsRefused() {
        assumeSupported();
        Exception refused = assertThrows(IllegalArgumentException.class, () -> SignalHandlers.save(1_000));
        assertEquals("signal 1000 has no handler that can be saved", refused.getMessage());
    }

    @Test
    void otherSystemsAreNotSupported() {
        assertNull(SignalHandlers.unsupported("Linux", "amd64"));
        assertNull(SignalHandlers.unsupported("Linux", "aarch64"));
        assertEquals(
                "signal handlers are saved and restored on Linux on x86-64 and ARM only, and this is Mac OS X on"
                        + " aarch64",
                SignalHandlers.unsupported("Mac OS X", "aarch64"));
        assertTrue(
                String.valueOf(SignalHandlers.unsupported("Linux", "riscv64")).endsWith("Linux on riscv64"));
    }
}

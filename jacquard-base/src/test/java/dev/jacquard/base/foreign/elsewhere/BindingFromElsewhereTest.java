package dev.jacquard.base.foreign.elsewhere;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.Status;
import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;

/** Interfaces are hidden in the packages of their libraries. */
class BindingFromElsewhereTest {
    private interface Numbers {
        int abs(int number);

        @Status
        void chdir(MemorySegment folder);
    }

    @Test
    void aHiddenInterfaceIsBound() {
        Numbers numbers = Binding.of(MethodHandles.lookup(), Numbers.class).to(NativeLibrary.ofC());
        assertEquals(3, numbers.abs(-3));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment nowhere = arena.allocateFrom("/no/such/folder");
            assertThrows(IllegalStateException.class, () -> numbers.chdir(nowhere));
        }
    }
}

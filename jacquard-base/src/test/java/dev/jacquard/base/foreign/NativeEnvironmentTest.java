package dev.jacquard.base.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NativeEnvironmentTest {
    private static final String NAME = "JACQUARD_NATIVE_ENVIRONMENT_TEST";

    @AfterEach
    void remove() {
        NativeEnvironment.remove(NAME);
    }

    @Test
    void aVariableThatIsSetStays() {
        assertEquals(Optional.empty(), NativeEnvironment.get(NAME));
        assertTrue(NativeEnvironment.setIfAbsent(NAME, "first"));
        assertFalse(NativeEnvironment.setIfAbsent(NAME, "second"));
        assertEquals(Optional.of("first"), NativeEnvironment.get(NAME));
        assertFalse(NativeEnvironment.setIfAbsent("PATH", "nowhere"));
        assertEquals(Optional.of(System.getenv("PATH")), NativeEnvironment.get("PATH"));
    }

    @Test
    void anEmptyValueIsAValue() {
        assertTrue(NativeEnvironment.setIfAbsent(NAME, ""));
        assertEquals(Optional.of(""), NativeEnvironment.get(NAME));
        assertFalse(NativeEnvironment.setIfAbsent(NAME, "second"));
    }

    @Test
    void aVariableIsReplacedAndRemovedOnDemand() {
        NativeEnvironment.set(NAME, "first");
        NativeEnvironment.set(NAME, "second");
        assertEquals(Optional.of("second"), NativeEnvironment.get(NAME));
        NativeEnvironment.remove(NAME);
        assertEquals(Optional.empty(), NativeEnvironment.get(NAME));
        assertTrue(NativeEnvironment.isSettable());
    }

    @Test
    void aNameIsChecked() {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> NativeEnvironment.set("A=B", "C"))
                        .getMessage());
        assertTrue(message.endsWith("but was \"A=B\""), message);
        assertThrows(IllegalArgumentException.class, () -> NativeEnvironment.get(""));
    }
}

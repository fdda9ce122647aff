package dev.jacquard.devices.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.foreign.SignalHandlers;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Drivers take the process's signal handlers when they compile; the JVM has its own after that. */
class SignalsTest {
    @Test
    void theJvmHasItsHandlersAfterACompilation() {
        assumeTrue(SignalHandlers.unsupported().isEmpty());
        SignalHandlers before = SignalHandlers.save();
        try (OpenClDevice device = OpenClFixture.open()) {
            device.compile(new KernelSource(
                    Language.OPENCL_C, "one.cl", "one", "kernel void one(global int* x) { x[0] = 1; }"));
        }
        assertEquals(List.of(), before.changed());
        for (int signal : new int[] {SignalHandlers.SEGV, SignalHandlers.BUS, SignalHandlers.FPE, SignalHandlers.ILL}) {
            String owner = SignalHandlers.owner(signal).orElse("the system");
            assertTrue(owner.endsWith("libjvm.so"), () -> signal + " is handled by " + owner);
        }
    }
}

package dev.jacquard.base.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether a machine's counter of cycles may serve as a clock. The kernel of Linux knows best: it watches the counter, and itself keeps time by
 * something else as soon as it finds that the counter's rate changes, that it stops, or that the cores disagree (Linux, {@code
 * arch/x86/kernel/tsc.c}).
 *
 * @param system the operating system's name, as Java tells it
 * @param architecture the processor's, likewise
 * @param clockSource the file in which the kernel names what it keeps time by
 * @param nativeAccess whether this module may call native code without a warning
 */
record CycleTrust(String system, String architecture, Path clockSource, boolean nativeAccess) {
    private static final Path CURRENT = Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    private static final String COUNTER = "tsc";

    static CycleTrust ofThisMachine() {
        return new CycleTrust(
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                CURRENT,
                CycleTrust.class.getModule().isNativeAccessEnabled());
    }

    /** What speaks against it. */
    Optional<String> objection() {
        if (!nativeAccess) {
            return Optional.of("native access is not enabled for " + CycleTrust.class.getModule());
        }
        if (!system.equals("Linux") || !architecture.equals("amd64")) {
            return Optional.of("cycles are counted on Linux on amd64 only, not on " + system + " on " + architecture);
        }
        try {
            String current = Files.readString(clockSource).strip();
            return current.equals(COUNTER)
                    ? Optional.empty()
                    : Optional.of("the kernel keeps time by " + current + ", not by " + COUNTER);
        } catch (IOException e) {
            return Optional.of("the kernel does not say what it keeps time by: " + e);
        }
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.core.device.DeviceOffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Some seeds in a row, for tests of this and other modules. */
public final class Slice {
    private static final int LIMIT_SECONDS = 30;

    private Slice() {}

    /**
     * Runs the programs of {@code count} seeds.
     *
     * @param step from seed to seed
     * @param offered devices besides emulated ones
     * @param folder for files
     * @throws AssertionError at the first that fails, with the program
     */
    public static void run(long from, int count, int step, List<? extends DeviceOffer> offered, Path folder) {
        Set<Feature> enabled = EnumSet.allOf(Feature.class);
        if (offered.isEmpty()) {
            enabled.remove(Feature.REAL);
        }
        try (Runner runner = new Runner(offered, folder, LIMIT_SECONDS)) {
            for (int i = 0; i < count; i++) {
                Program program = Program.draw(from + (long) i * step, enabled);
                List<Violation> violations = runner.run(program);
                if (!violations.isEmpty()) {
                    throw new AssertionError(violations + "\n" + program.text());
                }
            }
        }
    }
}

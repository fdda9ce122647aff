package dev.jacquard.core.testing.random;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.coherence.Coherence;
import dev.jacquard.testkit.Rounds;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random programs on devices with random faults: none is wrong, none hangs, and tasks that fail say why. */
class RandomFaultsTest {
    private static final int PROGRAMS = Rounds.some(400);
    /**
     * The platform's logger behind the engine's, whose module this one does not read. Kept: one that nobody holds
     * forgets its level.
     */
    private static final Object LOG = logger();

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    private static Object logger() {
        try {
            return Class.forName("java.util.logging.Logger")
                    .getMethod("getLogger", String.class)
                    .invoke(null, Coherence.class.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Thousands of warnings help nobody. */
    @BeforeAll
    static void silence() throws ReflectiveOperationException {
        logOnly("OFF");
    }

    @AfterAll
    static void tellAgain() throws ReflectiveOperationException {
        logOnly(null);
    }

    /** Null for the usual ones. */
    private static void logOnly(@Nullable String level) throws ReflectiveOperationException {
        Class<?> levels = Class.forName("java.util.logging.Level");
        Object its = level == null ? null : levels.getField(level).get(null);
        LOG.getClass().getMethod("setLevel", levels).invoke(LOG, its);
    }

    @Test
    void everyProgramIsRightOrSaysWhatIsLost() {
        Set<Feature> faulty = EnumSet.of(Feature.DATA, Feature.KERNELS, Feature.DEVICES, Feature.FAULTS);
        Tally tally = Slice.having(faulty, 3_000_000, PROGRAMS, List.of(), folder);
        assertTrue(
                tally.recomputed() > 0 && tally.fellBack() > 0 && tally.corrupted() > 0 && tally.lost() > 0,
                tally::toString);
        assertTrue(tally.complete() > tally.programs() / 10, tally::toString);
    }
}

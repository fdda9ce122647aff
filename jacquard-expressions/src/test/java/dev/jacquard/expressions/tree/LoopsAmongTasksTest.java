package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.testing.random.Feature;
import dev.jacquard.core.testing.random.Slice;
import dev.jacquard.core.testing.random.Tally;
import dev.jacquard.testkit.Rounds;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The random programs of the core with loops of expressions among their tasks, against a sequential run. */
class LoopsAmongTasksTest {
    private static final int PROGRAMS = Rounds.some(150);

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    @Test
    void loopsMeetAllFeatures() {
        Slice.having(Set.of(Feature.DATA, Feature.FORMULAS), 0, PROGRAMS, List.of(), folder, new FormulaLoops());
    }

    @Test
    void loopsMeetDevicesThatFail() {
        Set<Feature> features = EnumSet.of(Feature.DATA, Feature.FORMULAS, Feature.DEVICES, Feature.FAULTS);
        Slice.having(features, 1_000_000, PROGRAMS, List.of(), folder, new FormulaLoops());
    }

    @Test
    void loopsMeetLittleMemory() {
        Set<Feature> features = EnumSet.of(Feature.DATA, Feature.FORMULAS, Feature.DEVICES, Feature.MEMORY);
        Tally tally = Slice.having(features, 2_000_000, PROGRAMS, List.of(), folder, new FormulaLoops());
        assertTrue(tally.evictions("emulated0") > 0, tally::toString);
    }

    @Test
    void treesMeetAllFeatures() {
        Set<Feature> features = EnumSet.of(Feature.DATA, Feature.FORMULAS, Feature.TREES);
        Slice.having(features, 3_000_000, PROGRAMS, List.of(), folder, new FormulaLoops());
    }
}

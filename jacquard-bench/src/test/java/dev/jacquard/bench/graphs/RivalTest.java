package dev.jacquard.bench.graphs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.bench.rival.Compilation;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RivalTest {
    @ParameterizedTest
    @EnumSource
    void withoutACompilerARivalIsAbsentAndSaysWhy(Rival rival) {
        assertEquals(
                "there is no compiler (no-such-compiler) on the PATH",
                Compilation.with("no-such-compiler", rival.source()).problem());
    }

    @ParameterizedTest
    @EnumSource
    void aRivalKeepsTheOrderAndTellsTheTime(Rival rival) throws IOException {
        assumeTrue(
                rival.absence().isEmpty(), () -> rival.absence().orElseThrow().reason());
        for (Shape shape : new Shape[] {Shape.accesses5(2_000), Shape.wavefront(1_024), Shape.updates(500, 7)}) {
            try (RivalContender contender = new RivalContender(rival, "prebuilt", 2, shape, true)) {
                for (int round = 0; round < 3; round++) {
                    assertTrue(contender.round().values().stream().allMatch(figure -> figure > 0));
                }
            }
        }
    }

    /** Tasks whose steps are not one after the other cannot find the outputs that they expect. */
    @ParameterizedTest
    @EnumSource
    void aWrongResultIsCaught(Rival rival) throws IOException {
        assumeTrue(
                rival.absence().isEmpty(), () -> rival.absence().orElseThrow().reason());
        Shape chain = Shape.chain(2);
        try (SweepContender.PointRuns points =
                rival.start("prebuilt", 1, "point", chain, new int[] {0, 2}, new int[] {0, 0})) {
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> points.run(1));
            assertEquals(rival.system() + " did not do the work: wrong: a cell", e.getMessage());
        }
    }
}

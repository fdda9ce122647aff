package dev.jacquard.apps.pde;

import static dev.jacquard.apps.pde.PdeRuns.member;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.Machine;
import dev.jacquard.components.program.Report;
import dev.jacquard.expressions.codegen.Loops;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of points, which follow the cache of a core where no tile is given. */
class PdeBlocksTest {
    private static final String PROGRAM = """
        component: pde
        grid: {cells: 40x12x10, lengths: 4x1x1}
        unknowns:
          c:
            initial: "sin(x) * y"
            rate: "div(grad(c))"
            boundaries: {x: periodic, y: "neumann 0", z: "neumann 0"}
        time: {end: 0.002, step: 0.0005}
        """;

    @TempDir
    Path folder;

    @Test
    void theReportNamesThemAndATileChangesNoBit() throws Exception {
        PdeRuns runs = new PdeRuns(folder);
        Report report = runs.run(runs.file(PROGRAM), "blocks");
        Map<?, ?> blocks = (Map<?, ?>) member(report, "blocks");
        assertEquals(Loops.blockBytes(), blocks.get("bytes"));
        assertEquals(Machine.cacheOfCore().orElse(0), blocks.get("cacheOfCore"));
        runs.run(runs.file(PROGRAM), "tiles", "tile=16x4x3");
        assertArrayEquals(
                Files.readAllBytes(folder.resolve("blocks/c.npy")), Files.readAllBytes(folder.resolve("tiles/c.npy")));
    }
}

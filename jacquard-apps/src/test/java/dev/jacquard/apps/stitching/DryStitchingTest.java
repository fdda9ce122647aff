package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.stitching.TileGrid.Traversal;
import dev.jacquard.apps.stitching.align.Grid;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.apps.stitching.pairs.DisplacementGraph;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.numerics.fft.Ffts;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A dry run of the displacements' graph finds the pool of transforms that is counted by hand, before a tile is read.
 */
class DryStitchingTest {
    private static final int LARGEST = 12;

    private static DryRun dryRun(Traversal traversal, int rows, int columns, int pool) {
        DisplacementGraph graph = new DisplacementGraph(
                List.of(),
                new Grid(rows, columns),
                pool,
                1,
                Ffts.providers().getFirst(),
                StagePrior.auto(64, 64),
                1,
                2);
        return graph.dryRun(traversal.order(rows, columns));
    }

    @ParameterizedTest
    @EnumSource
    void theSmallestPoolIsTheOneCountedByHand(Traversal traversal) {
        for (int rows = 1; rows <= LARGEST; rows++) {
            for (int columns = 1; columns <= LARGEST; columns++) {
                String grid = traversal + " of " + rows + " x " + columns;
                int expected = traversal.smallestPool(rows, columns);
                DryRun found = dryRun(traversal, rows, columns, expected);
                DryRun.Memory transforms = found.memories().getFirst();
                assertEquals(expected, transforms.smallest(), grid);
                assertEquals(expected, transforms.peak(), grid);
                assertEquals(new Grid(rows, columns).pairs().size(), found.results(), grid);
                assertEquals(List.of(), found.lost(), grid);
                assertTrue(found.works(), grid);
            }
        }
    }
}

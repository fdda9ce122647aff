package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.stitching.align.PairAligner;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.run.SingleProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bundled plate: 5 by 5 tiles of 245 by 183 pixels. */
class HeapNeedTest {
    private static final int WIDTH = 245;
    private static final int HEIGHT = 183;
    private static final int IMAGE = WIDTH * HEIGHT;
    private static final int SPECTRUM = 2 * (WIDTH / 2 + 1) * HEIGHT;

    private static HeapNeed need(String... overrides) throws IOException {
        Path example = PlateRun.ROOT.resolve("examples/stitching.yaml");
        StitchingSettings settings = StitchingSettings.of(
                SingleProgram.load(example, List.of(overrides), null).settings());
        return HeapNeed.of(settings.findTiles(), settings);
    }

    @Test
    void transformsWaitForNeighboursAndAWorkerComputesWithMore() throws IOException {
        int live = TileGrid.Traversal.ROW.smallestPool(5, 5);
        long buffer = 2L * IMAGE + 4L * SPECTRUM;
        long aligner = PairAligner.bytes(StagePrior.auto(WIDTH, HEIGHT));
        assertTrue(aligner > 4L * (IMAGE + SPECTRUM), aligner + " bytes");
        long worker = 4L * IMAGE + aligner;
        assertEquals(live * buffer + worker, need("traversal=row", "workers=3").transforms());
    }

    @Test
    void theMosaicHasRowsThatTilesStillComeTo() throws IOException {
        // Neighbours are 0.8 of a tile apart at least, 0.1 less than their nominal distance.
        long columns = WIDTH + 4 * (WIDTH * 8 / 10);
        long rows = HEIGHT + HEIGHT / 2;
        assertEquals(6 * columns * rows, need("overlap=0.1").mosaic());
        assertEquals(4 * columns * rows, need("overlap=0.1", "blend=overlay").mosaic());
    }

    @Test
    void aHeapTooSmallIsRefusedWithWhatItTakes() {
        HeapNeed need = new HeapNeed(5_000_000, 9_000_000, "9 tiles of 1000 x 1000 pixels");
        assertDoesNotThrow(() -> need.require(9_000_000));
        assertEquals(
                "9 tiles of 1000 x 1000 pixels take at least 9 MiB of heap (rows of the mosaic that tiles still come to),"
                        + " and there are 8; give more with JACQUARD_JAVA_OPTIONS=-Xmx…",
                assertThrows(InputException.class, () -> need.require(8_999_999))
                        .getMessage());
        assertEquals(
                "9 tiles of 1000 x 1000 pixels take at least 5 MiB of heap (transforms that wait for those of neighbours,"
                        + " and what a worker computes with), and there are 4; give more with JACQUARD_JAVA_OPTIONS=-Xmx…",
                assertThrows(InputException.class, () -> need.require(4_999_999))
                        .getMessage());
    }
}

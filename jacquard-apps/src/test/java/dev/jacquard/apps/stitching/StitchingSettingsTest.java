package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.stitching.align.Optimisation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.run.SingleProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StitchingSettingsTest {
    private static final String PROGRAM = """
            component: stitching
            tiles: {folder: ., pattern: 't{pp}.tif'}
            grid: {rows: 8, columns: 8}
            """;

    @TempDir
    Path folder;

    @Test
    void everythingElseHasADefault() throws IOException {
        StitchingSettings settings = settings();
        assertEquals(
                new GridLayout(8, 8, 1, GridLayout.Order.ROW, false, GridLayout.Corner.TOP_LEFT), settings.layout());
        assertEquals(StitchingSettings.AUTO, settings.overlap());
        assertEquals(StitchingSettings.AUTO, settings.transforms());
        assertEquals(Runtime.getRuntime().availableProcessors(), settings.workers());
        assertEquals(TileGrid.Traversal.DIAGONAL_SERPENTINE, settings.traversal());
        assertEquals(FftChoice.AUTO, settings.fft());
        assertEquals(2, settings.peaks());
        assertEquals(Optimisation.LEAST_SQUARES, settings.optimise());
        assertEquals(Blend.LINEAR, settings.blend());
    }

    /** Each worker has memory of its own. */
    @Test
    void noMoreWorkersAreStartedThanCanWorkAtOnce() throws IOException {
        assertEquals(
                50, settings("workers=4096", "grid.rows=5", "grid.columns=5").workers());
        assertEquals(3, settings("workers=3", "grid.rows=5", "grid.columns=5").workers());
    }

    @Test
    void aPoolTooSmallIsRefusedWithTheSmallestThatWorks() throws IOException {
        int smallest = TileGrid.Traversal.ROW.smallestPool(8, 8);
        assertEquals(
                smallest, settings("traversal=row", "transforms=" + smallest).transforms());
        InputException error =
                assertThrows(InputException.class, () -> settings("traversal=row", "transforms=" + (smallest - 1)));
        assertEquals(
                "'transforms' is 8, too few to ever finish: a grid of 8 x 8 tiles read in row order needs at least 9",
                error.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "overlap=1 | 'overlap' is '1'; expected auto or a fraction from 0.001 to 0.95",
                "workers=0 | 'workers' is '0'; expected auto or a whole number from 1 to 4096",
                "transforms=0 | 'transforms' is '0'; expected auto or a whole number from 1 up",
                "traversal=zigzag | expected one of row, column, diagonal, row-serpentine, column-serpentine, diagonal-serpentine",
                "fft=mkl | 'fft' is 'mkl'; expected one of auto, jtransforms, fftw",
                "peaks=0 | 'peaks' is '0'; expected a whole number from 1 to 100",
                "optimise=all | 'optimise' is 'all'; expected one of none, tree, least-squares",
                "blend=max | 'blend' is 'max'; expected one of linear, overlay",
                "grid.rows=0 | 'grid.rows' is '0'; expected a whole number from 1 to 10000",
                "grid.order=diagonal | 'grid.order' is 'diagonal'; expected one of row, column",
                "grid.start=centre | expected one of top-left, top-right, bottom-left, bottom-right",
                "grid.serpentine=yes | 'grid.serpentine' is 'yes'; expected true or false",
                "tiles.pattern=t.tif | 'tiles.pattern' is 't.tif'; expected a file name with {rrr} and {ccc}",
                "tiles.folder=nowhere | 'tiles.folder': there is no folder 'nowhere'; looked in ",
                "overlapp=0.1 | component 'stitching' has no setting 'overlapp'; did you mean 'overlap'?",
            })
    void wrongValuesAreExplained(String override, String part) {
        InputException error = assertThrows(InputException.class, () -> settings(override));
        assertTrue(error.getMessage().contains(part), error.getMessage());
    }

    private StitchingSettings settings(String... overrides) throws IOException {
        Path file = Files.writeString(folder.resolve("program.yaml"), PROGRAM);
        return StitchingSettings.of(
                SingleProgram.load(file, List.of(overrides), null).settings());
    }
}

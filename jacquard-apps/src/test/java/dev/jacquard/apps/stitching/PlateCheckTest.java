package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.ProgramRun;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plate that is made, stitched and checked by one program. */
class PlateCheckTest {
    @TempDir
    Path folder;

    @Test
    void allTilesAreFoundWhereTheyAre() throws Exception {
        ProgramRun run = ProgramRun.example("plate-check", RunMode.PARALLEL, 2, folder);
        assertEquals(20, run.finding("compare", "exact"));
        assertEquals(2, run.finding("stitch", "workers"), "those of the program");
        assertTrue(Files.exists(folder.resolve("stitch/mosaic.tif")));
        assertTrue(Files.exists(folder.resolve("plate/img_r004_c005.tif")));
        assertFalse(Files.exists(folder.resolve("stitch/trace.json")), "the trace is the program's");
    }

    @Test
    void stitchingTakesTheFolderOfItsSettingsWhereNoneIsPlugged() throws Exception {
        Path file = Files.writeString(
                folder.resolve("p.yaml"), """
                components:
                  stitch:
                    component: stitching
                    tiles: {folder: %s, pattern: "ImageName_t01_p{pp}.tif"}
                    grid: {rows: 5, columns: 5, order: column}
                """.formatted(PlateRun.ROOT.resolve("examples/data/plate-5x5")));
        ProgramRun run = ProgramRun.of(file, RunMode.SERIAL, 1, folder.resolve("out"));
        PlateRun alone = PlateRun.example("stitching", folder.resolve("alone"));
        assertEquals(
                Files.readString(alone.file("positions.csv")),
                Files.readString(run.out().resolve("positions.csv")));
    }

    @Test
    void aFolderThatIsGivenNowhereIsMissing() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), """
                component: stitching
                tiles.pattern: "t_{ppp}.tif"
                grid: {rows: 5, columns: 5}
                """);
        InputException error =
                assertThrows(InputException.class, () -> ProgramRun.of(file, RunMode.SERIAL, 1, folder.resolve("out")));
        assertTrue(
                String.valueOf(error.getMessage())
                        .contains("'tiles.folder' is missing; expected a folder (the folder of the tiles"),
                error.getMessage());
    }
}

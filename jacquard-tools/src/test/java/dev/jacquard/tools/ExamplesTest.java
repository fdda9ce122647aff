package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.program.Program;
import dev.jacquard.apps.program.ProgramFile;
import dev.jacquard.apps.program.SearchPath;
import dev.jacquard.apps.program.Setting;
import dev.jacquard.apps.program.Settings;
import dev.jacquard.apps.stitching.StitchingSettings;
import dev.jacquard.apps.stitching.TileGrid;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
    private static final Path EXAMPLES = Path.of("../examples");

    @Test
    void theStitchingExampleNamesEverySettingAndFindsItsTiles() {
        Path file = EXAMPLES.resolve("stitching.yaml");
        ProgramFile program = ProgramFile.read(file, List.of());
        assertNamesAll(program, StitchingSettings.all());
        SearchPath searchPath = SearchPath.of(file, null, "stitching");
        TileGrid grid = StitchingSettings.of(Settings.of(program, StitchingSettings.all(), searchPath))
                .findTiles();
        assertEquals(245, grid.tileWidth());
        assertTrue(grid.tile(1, 0).file().endsWith("ImageName_t01_p02.tif"), "numbers run down the columns");
    }

    @ParameterizedTest
    @ValueSource(strings = {"make-plate.yaml", "resource-register.yaml"})
    void theExampleNamesEverySetting(String name) {
        Path file = EXAMPLES.resolve(name);
        Program program = Program.load(file, List.of(), null);
        assertNamesAll(ProgramFile.read(file, List.of()), program.component().settings());
    }

    private static void assertNamesAll(ProgramFile program, List<Setting<?>> settings) {
        assertEquals(
                new TreeSet<>(settings.stream().map(Setting::key).toList()),
                new TreeSet<>(program.values().keySet()));
    }
}

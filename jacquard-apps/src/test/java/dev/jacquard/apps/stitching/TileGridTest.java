package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.apps.image.MosaicTiffWriter;
import dev.jacquard.apps.image.PlaneChoice;
import dev.jacquard.apps.stitching.GridLayout.Corner;
import dev.jacquard.apps.stitching.GridLayout.Order;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.run.SingleProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TileGridTest {
    @TempDir
    Path folder;

    @Test
    void theExampleFindsItsTiles() {
        SingleProgram program = SingleProgram.load(Path.of("../examples/stitching.yaml"), List.of(), null);
        TileGrid grid = StitchingSettings.of(program.settings()).findTiles();
        assertEquals(245, grid.tileWidth());
        assertEquals("ImageName_t01_p02.tif", name(grid, 1, 0), "numbers run down the columns");
    }

    @Test
    void findsTilesByRowAndColumn() throws IOException {
        tiles("a_c1_r1.tif", "a_c2_r1.tif", "a_c1_r2.tif", "a_c2_r2.tif", "a_c3_r1.tif", "other.txt");
        TileGrid grid = find("a_c{c}_r{r}.tif", layout(2, 2, Corner.TOP_LEFT));
        assertEquals("a_c2_r1.tif", name(grid, 0, 1));
        assertEquals("a_c1_r2.tif", name(grid, 1, 0));
        assertEquals(8, grid.tileWidth());
        assertEquals(6, grid.tileHeight());
        assertEquals(16, grid.tiles().getFirst().bits());
        assertEquals("a_c2_r2.tif", name(find("a_c{c}_r{r}.tif", layout(2, 2, Corner.BOTTOM_RIGHT)), 0, 0));
    }

    @Test
    void paddingIsAtLeastAsManyDigitsAsLetters() throws IOException {
        tiles("p07.tif", "p08.tif");
        assertEquals(
                "p08.tif", name(find("p{pp}.tif", new GridLayout(1, 2, 7, Order.ROW, false, Corner.TOP_LEFT)), 0, 1));
        tiles("p112.tif");
        GridLayout one = new GridLayout(1, 1, 112, Order.ROW, false, Corner.TOP_LEFT);
        assertEquals("p112.tif", name(find("p{pp}.tif", one), 0, 0));
        assertMessage("p{ppppp}.tif", one, "expected names like p00112.tif");
    }

    @Test
    void oneTileOneRowAndOneColumnAreGrids() throws IOException {
        tiles("1.tif", "2.tif", "3.tif");
        assertEquals(1, find("{p}.tif", layout(1, 1, Corner.TOP_LEFT)).tiles().size());
        assertEquals("3.tif", name(find("{p}.tif", layout(1, 3, Corner.TOP_LEFT)), 0, 2));
        assertEquals("3.tif", name(find("{p}.tif", layout(3, 1, Corner.BOTTOM_LEFT)), 0, 0));
    }

    @Test
    void namesTheMissingTileAndItsPlace() throws IOException {
        tiles("r001_c001.tif", "r001_c002.tif", "r002_c002.tif");
        assertMessage(
                "r{rrr}_c{ccc}.tif",
                layout(2, 2, Corner.TOP_LEFT),
                "a tile is missing in " + folder + " for the grid of 2 x 2: r002_c001.tif (row 1, column 0 from 0)");
        assertMessage("r{rrr}_c{ccc}.tif", layout(3, 3, Corner.TOP_LEFT), "6 tiles are missing", "and 3 more");
    }

    @Test
    void saysWhenNothingFits() throws IOException {
        tiles("a.tif");
        assertMessage("b{p}.tif", layout(1, 2, Corner.TOP_LEFT), "no file in " + folder, "expected names like b1.tif");
    }

    @Test
    void namesBothTilesOfOnePlace() throws IOException {
        tiles("p01.tif", "p1.tif", "p2.tif");
        assertMessage(
                "p{p}.tif",
                layout(1, 2, Corner.TOP_LEFT),
                "two tiles for one place: p01.tif and p1.tif in " + folder + " both have number 1; remove one");
    }

    @Test
    void namesTilesThatDiffer() throws IOException {
        tiles("p1.tif");
        tile("p2.tif", 8, 7, 16);
        assertMessage(
                "p{p}.tif",
                layout(1, 2, Corner.TOP_LEFT),
                "tiles of different sizes: ",
                "p1.tif has 8 x 6 pixels",
                "p2.tif has 8 x 7");
        tile("p2.tif", 8, 6, 8);
        assertMessage(
                "p{p}.tif",
                layout(1, 2, Corner.TOP_LEFT),
                "tiles of different depths: ",
                "p1.tif has 16-bit samples",
                "p2.tif has 8-bit ones");
    }

    /** To open a pipe waits for a writer. */
    @Test
    @Timeout(180)
    void namesAPipeAmongTheTiles() throws Exception {
        tiles("r1_c1.tif");
        Process made = new ProcessBuilder("mkfifo", folder.resolve("r1_c2.tif").toString()).start();
        assumeTrue(made.waitFor() == 0, "the system has pipes with names");
        assertMessage(
                "r{r}_c{c}.tif", layout(1, 2, Corner.TOP_LEFT), "row 0, column 1", "r1_c2.tif", "pipe or a device");
    }

    @Test
    void namesATruncatedTileAndItsPlace() throws IOException {
        tiles("p1.tif", "p2.tif");
        Path second = folder.resolve("p2.tif");
        byte[] bytes = Files.readAllBytes(second);
        Files.write(second, Arrays.copyOf(bytes, bytes.length - 1));
        assertMessage("p{p}.tif", layout(1, 2, Corner.TOP_LEFT), "tile of row 0, column 1: " + second + ": truncated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.tif", "{rr}.tif", "{pp}_{rr}.tif", "{p}{p}.tif", "sub/{p}.tif", "{x}.tif", "{rc}.tif"})
    void refusesOtherPatterns(String pattern) {
        InputException error = assertThrows(InputException.class, () -> TilePattern.parse(pattern));
        assertTrue(error.getMessage().startsWith("'tiles.pattern' is '" + pattern + "'; expected"), error.getMessage());
    }

    @Test
    void whatIsSpecialInARegularExpressionIsLiteral() throws IOException {
        tiles("a+b(1)_1.tif");
        assertEquals("a+b(1)_1.tif", name(find("a+b(1)_{p}.tif", layout(1, 1, Corner.TOP_LEFT)), 0, 0));
    }

    private TileGrid find(String pattern, GridLayout layout) {
        return TileGrid.find(folder, TilePattern.parse(pattern), layout, PlaneChoice.ONLY);
    }

    private void assertMessage(String pattern, GridLayout layout, String... parts) {
        InputException error = assertThrows(InputException.class, () -> find(pattern, layout));
        for (String part : parts) {
            assertTrue(error.getMessage().contains(part), error.getMessage());
        }
    }

    private static GridLayout layout(int rows, int columns, Corner start) {
        return new GridLayout(rows, columns, 1, Order.ROW, false, start);
    }

    private static String name(TileGrid grid, int row, int column) {
        return grid.tiles()
                .get(row * grid.columns() + column)
                .file()
                .getFileName()
                .toString();
    }

    private void tiles(String... names) throws IOException {
        for (String name : names) {
            tile(name, 8, 6, 16);
        }
    }

    private void tile(String name, int width, int height, int bits) throws IOException {
        try (MosaicTiffWriter writer = MosaicTiffWriter.open(folder.resolve(name), width, height, bits)) {
            writer.writeRows(new short[width * height], height);
        }
    }
}

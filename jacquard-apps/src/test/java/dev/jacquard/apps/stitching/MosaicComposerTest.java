package dev.jacquard.apps.stitching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.MosaicComposer.PlacedTile;
import dev.jacquard.apps.stitching.MosaicComposer.TileSource;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MosaicComposerTest {
    @ParameterizedTest
    @CsvSource({"1,1,1", "1,7,2", "6,1,3", "5,6,1", "5,6,2", "9,3,4"})
    void overlappingTilesOfOneSceneGiveTheScene(int rows, int columns, int workers) {
        Scene scene = new Scene(rows, columns, 40, 36, 7L * rows + columns);
        for (Blend blend : Blend.values()) {
            assertArrayEquals(scene.expected(), scene.compose(workers, blend), blend.toString());
        }
    }

    @Test
    void anyNumberOfWorkersGivesTheSamePixels() {
        Scene scene = new Scene(6, 5, 33, 29, 3).withNoise();
        for (Blend blend : Blend.values()) {
            short[] alone = scene.compose(1, blend);
            for (int workers = 2; workers <= 4; workers++) {
                assertArrayEquals(alone, scene.compose(workers, blend), blend + " with " + workers);
            }
        }
    }

    @Test
    void linearBlendingWeighsByTheDistanceFromTheEdge() {
        GrayImage dark = constant(4, 1, 0);
        GrayImage bright = constant(4, 1, 600);
        List<PlacedTile> tiles = List.of(new PlacedTile(0, 0, 0, 0, 0), new PlacedTile(1, 0, 1, 2, 0));
        // One row: every weight is 1, so the two columns in common are plain means.
        assertArrayEquals(
                new short[] {0, 0, 300, 300, 600, 600},
                compose(1, tiles, 4, 1, (i, worker) -> i == 0 ? dark : bright, Blend.LINEAR));
        GrayImage tallDark = constant(6, 7, 0);
        GrayImage tallBright = constant(6, 7, 600);
        List<PlacedTile> pair = List.of(new PlacedTile(0, 0, 0, 0, 0), new PlacedTile(1, 0, 1, 4, 0));
        short[] mosaic = compose(1, pair, 6, 7, (i, worker) -> i == 0 ? tallDark : tallBright, Blend.LINEAR);
        assertEquals(200, mosaic[3 * 10 + 4]); // weights 2 of the dark tile and 1 of the bright one
        assertEquals(400, mosaic[3 * 10 + 5]);
    }

    @Test
    void manyTilesOverOnePixelDoNotOverflow() {
        GrayImage white = constant(400, 400, 0xFFFF);
        List<PlacedTile> tiles = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            tiles.add(new PlacedTile(i, i / 20, i % 20, i % 20, i / 20));
        }
        short[] mosaic = compose(2, tiles, 400, 400, (i, worker) -> white, Blend.LINEAR);
        assertEquals(0xFFFF, mosaic[210 * 419 + 210] & 0xFFFF); // up to 200 for each of 400 tiles: above 65,535
    }

    @Test
    void aTileThatCannotBeLoadedFailsTheMosaicAndIsNamed() {
        List<PlacedTile> tiles = new ArrayList<>();
        for (int row = 0; row < 20; row++) {
            tiles.add(new PlacedTile(row, row, 0, 0, row * 30));
        }
        TaskFailedException e = assertThrows(
                TaskFailedException.class,
                () -> compose(
                        2,
                        tiles,
                        32,
                        40,
                        (i, worker) -> {
                            if (i == 7) {
                                throw new IOException("tile 7 is gone");
                            }
                            return constant(32, 40, i);
                        },
                        Blend.LINEAR));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("compose (7,0)") && message.contains("tile 7 is gone"), message);
    }

    @Test
    void memoryIsBoundedByAFewRowsOfTiles() {
        RowRing ring = new RowRing(10, 4, Blend.OVERLAY, 1);
        assertEquals(4, ring.capacity());
        List<PlacedTile> tiles = new ArrayList<>();
        for (int row = 0; row < 200; row++) {
            tiles.add(new PlacedTile(row, row, 0, 0, row * 30));
        }
        // 6,010 rows through a ring of at most 40 + 10 + 32 + 20: in a wrong order, rows would overwrite each other.
        short[] mosaic = compose(2, tiles, 8, 40, (i, worker) -> constant(8, 40, i + 1), Blend.OVERLAY);
        for (int y = 0; y < 200 * 30; y++) {
            assertEquals(y / 30 + 1, mosaic[y * 8]);
        }
    }

    private static GrayImage constant(int width, int height, int sample) {
        short[] samples = new short[width * height];
        Arrays.fill(samples, (short) sample);
        return new GrayImage(width, height, 16, samples);
    }

    private static short[] compose(
            int workers, List<PlacedTile> tiles, int tileWidth, int tileHeight, TileSource source, Blend blend) {
        try (Session session = Session.builder().workers(workers).open()) {
            MosaicComposer composer = new MosaicComposer(session, tileWidth, tileHeight, tiles);
            short[] mosaic = new short[composer.width() * composer.height()];
            int[] filled = {0};
            composer.compose(
                    source,
                    blend,
                    (samples, rows) -> {
                        System.arraycopy(samples, 0, mosaic, filled[0], rows * composer.width());
                        filled[0] += rows * composer.width();
                    },
                    stop -> {});
            assertEquals(mosaic.length, filled[0]);
            return mosaic;
        }
    }

    /** A random picture, cut into jittered tiles. */
    private static final class Scene {
        private final int tileWidth;
        private final int tileHeight;
        private final List<PlacedTile> tiles = new ArrayList<>();
        private final short[] picture;
        private final int width;
        private int noise;

        Scene(int rows, int columns, int tileWidth, int tileHeight, long seed) {
            this.tileWidth = tileWidth;
            this.tileHeight = tileHeight;
            Random random = new Random(seed);
            for (int i = 0; i < rows * columns; i++) {
                int row = i / columns;
                int column = i % columns;
                int x = column == 0 ? 0 : column * (tileWidth - 10) + random.nextInt(5);
                int y = row == 0 ? 0 : row * (tileHeight - 10) + random.nextInt(5);
                tiles.add(new PlacedTile(i, row, column, x, y));
            }
            width = tiles.stream().mapToInt(PlacedTile::x).max().orElseThrow() + tileWidth;
            int height = tiles.stream().mapToInt(PlacedTile::y).max().orElseThrow() + tileHeight;
            picture = new short[width * height];
            for (int i = 0; i < picture.length; i++) {
                picture[i] = (short) random.nextInt(65536);
            }
        }

        Scene withNoise() {
            noise = 1000;
            return this;
        }

        private GrayImage tile(int index) {
            PlacedTile place = tiles.get(index);
            Random random = new Random(index);
            short[] samples = new short[tileWidth * tileHeight];
            for (int i = 0; i < samples.length; i++) {
                int at = (place.y() + i / tileWidth) * width + place.x() + i % tileWidth;
                samples[i] = (short) (picture[at] + (noise == 0 ? 0 : random.nextInt(noise)));
            }
            return new GrayImage(tileWidth, tileHeight, 16, samples);
        }

        short[] compose(int workers, Blend blend) {
            return MosaicComposerTest.compose(
                    workers, tiles, tileWidth, tileHeight, (index, worker) -> tile(index), blend);
        }

        /** The picture where a tile covers it, 0 elsewhere. */
        short[] expected() {
            short[] expected = new short[picture.length];
            for (PlacedTile place : tiles) {
                for (int row = 0; row < tileHeight; row++) {
                    int at = (place.y() + row) * width + place.x();
                    System.arraycopy(picture, at, expected, at, tileWidth);
                }
            }
            return expected;
        }
    }
}

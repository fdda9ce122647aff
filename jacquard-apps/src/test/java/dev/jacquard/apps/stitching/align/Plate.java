package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.TestData;
import dev.jacquard.apps.image.GrayImage;
import java.awt.image.Raster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/**
 * Tiles with their true positions, both in grid order.
 *
 * @param x true positions to the right
 * @param y true positions down
 */
record Plate(Grid grid, List<String> names, List<GrayImage> tiles, double[] x, double[] y) {
    /** Two or three numbers after a file name, however they are punctuated. */
    private static final Pattern TRUTH = Pattern.compile("^(\\S+\\.tif)[;\\s(]+(-?[\\d.]+)[,\\s]+(-?[\\d.]+).*$");

    static Plate plate5x5() throws IOException {
        List<String> names = new ArrayList<>();
        for (int tile = 0; tile < 25; tile++) {
            names.add(String.format(Locale.ROOT, "ImageName_t01_p%02d.tif", tile % 5 * 5 + tile / 5 + 1));
        }
        return read("plate-5x5", new Grid(5, 5), names, "ground-truth-bit-exact.txt");
    }

    static Plate recut8x8() throws IOException {
        List<String> names = new ArrayList<>();
        for (int tile = 0; tile < 64; tile++) {
            names.add(String.format(Locale.ROOT, "img_r%03d_c%03d.tif", tile / 8 + 1, tile % 8 + 1));
        }
        return read("recut-8x8", new Grid(8, 8), names, "ground-truth.txt");
    }

    static Plate speckle3x4() throws IOException {
        return read(
                "speckle-3x4",
                new Grid(3, 4),
                serpentine("x100_epr-jerem_10pct_001_A%03d_I.tif", 12, 4),
                "TileConfiguration_uncorrected.txt");
    }

    static Plate hard3x3() throws IOException {
        return read(
                "hard-3x3", new Grid(3, 3), serpentine("corrected_speckle_image_A%02d.tif", 9, 3), "ground-truth.txt");
    }

    /** The true displacement of {@code pair} to the right. */
    double dx(Pair pair) {
        return x[pair.to()] - x[pair.from()];
    }

    /** The true displacement of {@code pair} down. */
    double dy(Pair pair) {
        return y[pair.to()] - y[pair.from()];
    }

    StagePrior auto() {
        return StagePrior.auto(tiles.getFirst().width(), tiles.getFirst().height());
    }

    /** How far {@code measured} is from the truth, in the worse of both directions. */
    double error(Measurement measured) {
        return Math.max(Math.abs(measured.dx() - dx(measured.pair())), Math.abs(measured.dy() - dy(measured.pair())));
    }

    private static List<String> serpentine(String pattern, int tiles, int columns) {
        List<String> names = new ArrayList<>();
        for (int tile = 0; tile < tiles; tile++) {
            int row = tile / columns;
            int column = row % 2 == 0 ? tile % columns : columns - 1 - tile % columns;
            names.add(String.format(pattern, row * columns + column + 1));
        }
        return names;
    }

    private static Plate read(String name, Grid grid, List<String> names, String truthFile) throws IOException {
        Path folder = TestData.find("stitching/" + name);
        Map<String, double[]> truth = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve(truthFile))) {
            Matcher found = TRUTH.matcher(line);
            if (found.matches()) {
                truth.put(
                        found.group(1),
                        new double[] {Double.parseDouble(found.group(2)), Double.parseDouble(found.group(3))});
            }
        }
        List<GrayImage> tiles = new ArrayList<>();
        double[] x = new double[names.size()];
        double[] y = new double[names.size()];
        for (int tile = 0; tile < names.size(); tile++) {
            tiles.add(image(folder.resolve(names.get(tile))));
            double[] position = truth.getOrDefault(names.get(tile), new double[2]);
            x[tile] = position[0];
            y[tile] = position[1];
        }
        return new Plate(grid, names, tiles, x, y);
    }

    private static GrayImage image(Path file) throws IOException {
        Raster raster = ImageIO.read(file.toFile()).getRaster();
        int[] band = raster.getSamples(0, 0, raster.getWidth(), raster.getHeight(), 0, (int[]) null);
        short[] samples = new short[band.length];
        for (int i = 0; i < band.length; i++) {
            samples[i] = (short) band[i];
        }
        int bits = raster.getSampleModel().getSampleSize(0);
        return new GrayImage(raster.getWidth(), raster.getHeight(), bits, samples);
    }
}

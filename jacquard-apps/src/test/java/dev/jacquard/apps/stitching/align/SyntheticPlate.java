package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A seeded plate of random texture, photographed with jitter, gain, noise and shading.
 *
 * @param overlap part of a tile that neighbours share; negative for tiles that show unrelated places
 * @param jitter largest error of a tile's position, in pixels, each way
 * @param skew pixels that a step leads sideways
 * @param blur radius of the texture's blur: its grain in pixels
 * @param noise standard deviation of the camera's noise, in standard deviations of the texture
 * @param empty part of the specimen, in patches, that shows nothing
 * @param shading by which part the corners are darker than the middle
 * @param dust contrast of a pattern that lies on the camera, in standard deviations of the texture
 */
record SyntheticPlate(
        Grid grid,
        int width,
        int height,
        int bits,
        double overlap,
        int jitter,
        int skew,
        int blur,
        double noise,
        double empty,
        double shading,
        double dust) {
    /** An easy plate, to be made harder. */
    static SyntheticPlate easy(int rows, int columns) {
        return new SyntheticPlate(new Grid(rows, columns), 160, 128, 16, 0.15, 3, 2, 1, 0.1, 0, 0, 0);
    }

    SyntheticPlate withTiles(int newWidth, int newHeight, int newBits) {
        return new SyntheticPlate(
                grid, newWidth, newHeight, newBits, overlap, jitter, skew, blur, noise, empty, shading, dust);
    }

    SyntheticPlate withStage(double newOverlap, int newJitter, int newSkew) {
        return new SyntheticPlate(
                grid, width, height, bits, newOverlap, newJitter, newSkew, blur, noise, empty, shading, dust);
    }

    SyntheticPlate withTexture(int newBlur, double newNoise, double newEmpty) {
        return new SyntheticPlate(
                grid, width, height, bits, overlap, jitter, skew, newBlur, newNoise, newEmpty, shading, dust);
    }

    SyntheticPlate withCamera(double newShading, double newDust) {
        return new SyntheticPlate(
                grid, width, height, bits, overlap, jitter, skew, blur, noise, empty, newShading, newDust);
    }

    Plate make(long seed) {
        Random random = new Random(seed);
        double part = Math.abs(overlap);
        int stepX = (int) Math.round((1 - part) * width);
        int stepY = (int) Math.round((1 - part) * height);
        int margin = jitter + Math.abs(skew) * Math.max(grid.rows(), grid.columns()) + 1;
        int worldWidth = stepX * grid.columns() + width + 2 * margin;
        int worldHeight = stepY * grid.rows() + height + 2 * margin;
        float[] world = specimen(worldWidth, worldHeight, random);
        float[] camera = texture(width, height, 2, random);
        List<GrayImage> tiles = new ArrayList<>();
        double[] x = new double[grid.tiles()];
        double[] y = new double[grid.tiles()];
        for (int tile = 0; tile < grid.tiles(); tile++) {
            int row = tile / grid.columns();
            int column = tile % grid.columns();
            x[tile] = margin + stepX * column - skew * row + random.nextInt(-jitter, jitter + 1);
            y[tile] = margin + stepY * row + skew * column + random.nextInt(-jitter, jitter + 1);
            if (overlap < 0) {
                world = specimen(worldWidth, worldHeight, random);
            }
            tiles.add(photograph(world, worldWidth, (int) x[tile], (int) y[tile], camera, random));
        }
        List<String> names = Collections.nCopies(grid.tiles(), "seed " + seed);
        return new Plate(grid, names, tiles, x, y);
    }

    private GrayImage photograph(float[] world, int worldWidth, int x, int y, float[] camera, Random random) {
        double gain = 0.95 + 0.1 * random.nextDouble();
        double unit = bits == 8 ? 20 : 800;
        double level = bits == 8 ? 110 : 20_000;
        short[] samples = new short[width * height];
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                double u = 2.0 * column / width - 1;
                double v = 2.0 * row / height - 1;
                double light = gain * (1 - shading * (u * u + v * v) / 2);
                double seen = world[(y + row) * worldWidth + x + column] + dust * camera[row * width + column];
                double sample = light * (level + unit * seen) + unit * noise * random.nextGaussian();
                samples[row * width + column] = (short) Math.clamp(Math.round(sample), 0, (1 << bits) - 1);
            }
        }
        return new GrayImage(width, height, bits, samples);
    }

    /** Texture of two grains, with empty patches. */
    private float[] specimen(int worldWidth, int worldHeight, Random random) {
        float[] fine = texture(worldWidth, worldHeight, blur, random);
        float[] coarse = texture(worldWidth, worldHeight, 4 * blur + 1, random);
        float[] patches = texture(worldWidth, worldHeight, width / 6, random);
        // The part of a normal distribution below the threshold is about the part that is empty.
        double threshold = empty <= 0 ? Double.NEGATIVE_INFINITY : Math.log(empty / (1 - empty)) / 1.702;
        for (int i = 0; i < fine.length; i++) {
            double full = Math.clamp(4 * (patches[i] - threshold), 0, 1);
            fine[i] = (float) (full * (0.7 * fine[i] + 0.7 * coarse[i]));
        }
        return fine;
    }

    /** Blurred noise with mean 0 and standard deviation 1. */
    private static float[] texture(int width, int height, int radius, Random random) {
        float[] field = new float[width * height];
        for (int i = 0; i < field.length; i++) {
            field[i] = (float) random.nextGaussian();
        }
        for (int pass = 0; pass < 2 && radius > 0; pass++) {
            for (int row = 0; row < height; row++) {
                blur(field, row * width, 1, width, radius);
            }
            for (int column = 0; column < width; column++) {
                blur(field, column, width, height, radius);
            }
        }
        double power = 0;
        for (float value : field) {
            power += (double) value * value;
        }
        float scale = (float) Math.sqrt(field.length / power);
        for (int i = 0; i < field.length; i++) {
            field[i] *= scale;
        }
        return field;
    }

    /** A moving mean along one line, which wraps around. */
    private static void blur(float[] field, int start, int stride, int length, int radius) {
        double[] line = new double[length];
        double sum = 0;
        for (int i = 0; i < length; i++) {
            line[i] = field[start + i * stride];
        }
        for (int i = -radius; i <= radius; i++) {
            sum += line[Math.floorMod(i, length)];
        }
        for (int i = 0; i < length; i++) {
            field[start + i * stride] = (float) (sum / (2 * radius + 1));
            sum += line[Math.floorMod(i + radius + 1, length)] - line[Math.floorMod(i - radius, length)];
        }
    }
}

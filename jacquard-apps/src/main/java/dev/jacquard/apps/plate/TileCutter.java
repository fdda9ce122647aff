package dev.jacquard.apps.plate;

import dev.jacquard.apps.image.MosaicTiffWriter;
import java.io.IOException;
import java.nio.file.Path;

/** Cuts one tile at a time out of a scene, row by row, so that memory holds a row of it. Confined to one thread. */
final class TileCutter {
    /** Noise is drawn from a table of this many values: a normal deviate each would take longer than all the rest. */
    private static final int NOISE_VALUES = 1 << 16;

    private final PlatePlan plan;
    private final Scene scene;
    private final int bits;
    private final Seed seed;
    private final float[] noise = new float[NOISE_VALUES];
    private final float[] brightness;
    private final short[] samples;

    TileCutter(PlatePlan plan, Scene scene, int bits, double deviation, Seed seed) {
        this.plan = plan;
        this.scene = scene;
        this.bits = bits;
        this.seed = seed;
        brightness = new float[plan.tileWidth()];
        samples = new short[plan.tileWidth()];
        for (int i = 0; i < NOISE_VALUES; i++) {
            noise[i] = (float) (deviation * seed.gaussian(i, 0));
        }
    }

    void write(Path file, int row, int column) throws IOException {
        float gain = (float) plan.gain(row, column);
        Seed tileSeed = seed.of(1 + (long) row * plan.columns() + column);
        try (MosaicTiffWriter writer = MosaicTiffWriter.open(file, plan.tileWidth(), plan.tileHeight(), bits)) {
            for (int y = 0; y < plan.tileHeight(); y++) {
                scene.row(plan.x(row, column), plan.y(row, column) + y, brightness);
                digitise(gain, tileSeed, y);
                writer.writeRows(samples, 1);
            }
        }
    }

    private void digitise(float gain, Seed tileSeed, int y) {
        int white = (1 << bits) - 1;
        long random = 0;
        for (int i = 0; i < samples.length; i++) {
            random = i % 4 == 0 ? tileSeed.bits(i, y) : random >>> 16;
            float value = gain * brightness[i] + noise[(int) random & (NOISE_VALUES - 1)];
            samples[i] = (short) Math.clamp(Math.round(value * white), 0, white);
        }
    }
}

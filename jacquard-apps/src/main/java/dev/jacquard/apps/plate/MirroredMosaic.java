package dev.jacquard.apps.plate;

import dev.jacquard.apps.image.GrayImage;

/**
 * A mosaic continued beyond its borders by mirroring. Some of a texture is mixed in, so that no two copies look alike.
 *
 * @param mosaic the picture
 * @param variation the scene that is mixed in
 * @param share how much of it, 0 to 1: 0 when the plate lies within the mosaic
 */
record MirroredMosaic(GrayImage mosaic, Scene variation, float share) implements Scene {
    @Override
    public void row(int x, int y, float[] out) {
        if (share > 0) {
            variation.row(x, y, out);
        }
        int row = mirrored(y, mosaic.height());
        float scale = (1 - share) / ((1 << mosaic.bits()) - 1);
        for (int i = 0; i < out.length; i++) {
            out[i] = share * out[i] + scale * mosaic.sample(row, mirrored(x + i, mosaic.width()));
        }
    }

    private static int mirrored(int at, int size) {
        int folded = Math.floorMod(at, 2 * size);
        return folded < size ? folded : 2 * size - 1 - folded;
    }
}

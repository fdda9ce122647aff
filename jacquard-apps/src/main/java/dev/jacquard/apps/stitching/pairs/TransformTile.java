package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import org.jspecify.annotations.Nullable;

/** Computes the Fourier transform of a tile. Each copy has a planned transform and a scratch image of its own. */
final class TransformTile implements Body<LoadedTile, LoadedTile> {
    private final FftProvider library;
    private final int rows;
    private final int columns;
    private @Nullable RealFft2d fft;
    private float[] samples = {};

    TransformTile(FftProvider library, int rows, int columns) {
        this.library = library;
        this.rows = rows;
        this.columns = columns;
    }

    @Override
    public void initialize(CopyInfo copy) {
        fft = library.plan(rows, columns);
        samples = new float[rows * columns];
    }

    @Override
    @SuppressWarnings("NullAway") // initialize came first
    public void execute(LoadedTile tile, Emitter<LoadedTile> out) {
        TileBuffer buffer = tile.buffer().value();
        widen(buffer.image(), samples);
        fft.forward(samples, buffer.spectrum());
        out.emit(tile);
    }

    private static void widen(GrayImage image, float[] into) {
        short[] samples = image.samples();
        for (int i = 0; i < samples.length; i++) {
            into[i] = samples[i] & 0xFFFF;
        }
    }

    @Override
    public void shutdown(Emitter<LoadedTile> out) {
        if (fft != null) {
            fft.close();
        }
    }
}

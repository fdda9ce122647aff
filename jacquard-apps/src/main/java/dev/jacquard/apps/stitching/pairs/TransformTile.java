package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.TileTransform;
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
    private @Nullable TileTransform transform;

    TransformTile(FftProvider library, int rows, int columns) {
        this.library = library;
        this.rows = rows;
        this.columns = columns;
    }

    @Override
    public void initialize(CopyInfo copy) {
        fft = library.plan(rows, columns);
        transform = new TileTransform(fft);
    }

    @Override
    @SuppressWarnings("NullAway") // initialize came first
    public void execute(LoadedTile tile, Emitter<LoadedTile> out) {
        TileBuffer buffer = tile.buffer().value();
        transform.transform(buffer.image(), buffer.spectrum());
        out.emit(tile);
    }

    @Override
    public void shutdown(Emitter<LoadedTile> out) {
        if (fft != null) {
            fft.close();
        }
    }
}

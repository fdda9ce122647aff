package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;

/** Computes the Fourier transform of a tile. */
final class TransformTile implements Body<LoadedTile, LoadedTile> {
    private final Kernels kernels;

    TransformTile(Kernels kernels) {
        this.kernels = kernels;
    }

    @Override
    public void execute(LoadedTile tile, Emitter<LoadedTile> out) {
        TileBuffer buffer = tile.buffer().value();
        kernels.lend(kernel -> kernel.transform().transform(buffer.image(), buffer.spectrum()));
        out.emit(tile);
    }
}

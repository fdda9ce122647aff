package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.base.clock.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/** A future per tile, and one per pair that combines two of them. Keeps all transforms in memory. */
final class CompletableFuturePhase extends PhaseContender {
    private final ForkJoinPool pool;

    CompletableFuturePhase(int workers, Tiles tiles, List<Measurement> expected, Clock clock) {
        super("completablefuture", workers, tiles, expected, clock);
        this.pool = new ForkJoinPool(workers);
    }

    @Override
    List<Measurement> measureAll(Tiles plate) {
        try (Kernels kernels = plate.kernels()) {
            List<CompletableFuture<Kernels.Spectrum>> tiles = plate.headers().stream()
                    .map(header -> CompletableFuture.supplyAsync(() -> kernels.transform(Kernels.read(header)), pool))
                    .toList();
            List<CompletableFuture<Measurement>> found = new ArrayList<>();
            for (Pair pair : plate.grid().pairs()) {
                found.add(tiles.get(pair.from())
                        .thenCombineAsync(tiles.get(pair.to()), (from, to) -> kernels.measure(pair, from, to), pool));
            }
            return found.stream().map(CompletableFuture::join).toList();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}

package dev.jacquard.bench.plates;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.base.clock.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A thread per stage, one reads, one transforms, one measures, with bounded queues between them. */
final class BlockingQueuePhase extends PhaseContender {
    private static final int STAGES = 3;
    private static final int BOUND = 8;

    BlockingQueuePhase(Tiles tiles, List<Measurement> expected, Clock clock) {
        super("arrayblockingqueue", STAGES, tiles, expected, clock);
    }

    private record Tile<T>(int index, T value) {}

    @Override
    List<Measurement> measureAll(Tiles plate) throws InterruptedException, ExecutionException {
        BlockingQueue<Tile<GrayImage>> images = new ArrayBlockingQueue<>(BOUND);
        BlockingQueue<Tile<Kernels.Spectrum>> spectra = new ArrayBlockingQueue<>(BOUND);
        try (Kernels kernels = plate.kernels();
                ExecutorService threads = Executors.newFixedThreadPool(STAGES)) {
            Future<?> reader = threads.submit(() -> {
                for (int index : plate.order()) {
                    images.put(new Tile<>(index, Kernels.read(plate.headers().get(index))));
                }
                return true;
            });
            Future<?> transformer = threads.submit(() -> {
                for (int count = 0; count < plate.grid().tiles(); count++) {
                    Tile<GrayImage> image = images.take();
                    spectra.put(new Tile<>(image.index(), kernels.transform(image.value())));
                }
                return true;
            });
            List<Measurement> found =
                    threads.submit(() -> measure(plate, spectra, kernels)).get();
            reader.get();
            transformer.get();
            return found;
        }
    }

    private static List<Measurement> measure(
            Tiles plate, BlockingQueue<Tile<Kernels.Spectrum>> spectra, Kernels kernels) throws InterruptedException {
        Map<Integer, Kernels.Spectrum> here = new HashMap<>();
        Map<Pair, Measurement> found = new HashMap<>();
        for (int count = 0; count < plate.grid().tiles(); count++) {
            Tile<Kernels.Spectrum> tile = spectra.take();
            here.put(tile.index(), tile.value());
            for (Pair pair : plate.grid().pairs()) {
                Kernels.Spectrum from = here.get(pair.from());
                Kernels.Spectrum to = here.get(pair.to());
                boolean concerned = pair.from() == tile.index() || pair.to() == tile.index();
                if (concerned && from != null && to != null) {
                    found.put(pair, kernels.measure(pair, from, to));
                }
            }
        }
        List<Measurement> inOrder = new ArrayList<>();
        plate.grid().pairs().forEach(pair -> inOrder.add(found.get(pair)));
        return inOrder;
    }
}

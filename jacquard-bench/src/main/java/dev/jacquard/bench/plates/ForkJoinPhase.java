package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.base.clock.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A task per tile; the task with the second tile of a pair forks a task for the pair. Keeps all transforms in memory:
 * nothing throttles it.
 */
final class ForkJoinPhase extends PhaseContender {
    private final ForkJoinPool pool;

    ForkJoinPhase(int workers, Tiles tiles, List<Measurement> expected, Clock clock) {
        super("forkjoin", workers, tiles, expected, clock);
        this.pool = new ForkJoinPool(workers);
    }

    @Override
    List<Measurement> measureAll(Tiles plate) {
        try (Kernels kernels = plate.kernels()) {
            return pool.invoke(new Phase(plate, kernels));
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    /** The root: forks the tiles, joins everything. */
    private static final class Phase extends RecursiveTask<List<Measurement>> {
        private static final long serialVersionUID = 1;

        private final transient Tiles plate;
        private final transient Kernels kernels;
        private final transient List<Pair> pairs;
        /** Per pair, the tile that came first. */
        private final transient AtomicReferenceArray<Kernels.Spectrum> waiting;

        private final transient List<ForkJoinTask<Measurement>> tasks;

        Phase(Tiles plate, Kernels kernels) {
            this.plate = plate;
            this.kernels = kernels;
            this.pairs = plate.grid().pairs();
            this.waiting = new AtomicReferenceArray<>(pairs.size());
            this.tasks = new ArrayList<>();
            for (int i = 0; i < pairs.size(); i++) {
                tasks.add(new PairTask(this, i));
            }
        }

        @Override
        protected List<Measurement> compute() {
            List<ForkJoinTask<?>> tiles = new ArrayList<>();
            for (int tile : plate.order()) {
                tiles.add(ForkJoinTask.adapt(() -> load(tile)).fork());
            }
            for (ForkJoinTask<?> tile : tiles.reversed()) {
                tile.join(); // newest first, as they lie in this thread's deque
            }
            return tasks.stream().map(ForkJoinTask::join).toList();
        }

        private void load(int tile) {
            Kernels.Spectrum spectrum =
                    kernels.transform(Kernels.read(plate.headers().get(tile)));
            for (int i = 0; i < pairs.size(); i++) {
                Pair pair = pairs.get(i);
                if ((pair.from() == tile || pair.to() == tile) && !waiting.compareAndSet(i, null, spectrum)) {
                    ((PairTask) tasks.get(i)).start(spectrum, pair.from() == tile);
                }
            }
        }
    }

    private static final class PairTask extends RecursiveTask<Measurement> {
        private static final long serialVersionUID = 1;

        private final transient Phase phase;
        private final int index;
        private transient Kernels.Spectrum[] both = {};

        PairTask(Phase phase, int index) {
            this.phase = phase;
            this.index = index;
        }

        void start(Kernels.Spectrum second, boolean secondIsFrom) {
            Kernels.Spectrum first = phase.waiting.get(index);
            both = secondIsFrom ? new Kernels.Spectrum[] {second, first} : new Kernels.Spectrum[] {first, second};
            fork();
        }

        @Override
        protected Measurement compute() {
            Kernels.Spectrum[] spectra = Arrays.copyOf(both, 2);
            return phase.kernels.measure(phase.pairs.get(index), spectra[0], spectra[1]);
        }
    }
}

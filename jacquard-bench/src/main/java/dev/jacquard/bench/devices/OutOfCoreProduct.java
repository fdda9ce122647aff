package dev.jacquard.bench.devices;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.numerics.blas.BlasRoutines;
import dev.jacquard.numerics.blas.Blases;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A product of two square matrices in tiles, with a quarter of the memory that the three take and the rest on disk,
 * page cache bypassed, compared with the same with all of it.
 */
final class OutOfCoreProduct extends Workload {
    private static final int SIDE = 8192;
    private static final int TILE = 1024;
    private static final int QUICK_SIDE = 256;
    private static final int QUICK_TILE = 32;
    static final double MEBIBYTE = 1 << 20;

    OutOfCoreProduct() {
        super("outofcore.matmul", "s", new Rounds(0, 1), new Rounds(0, 3));
    }

    /** The size of the product, in tiles and in the elements of a tile's side. */
    record Size(int tiles, int side) {
        static Size of(Plan plan) {
            return plan.quick() ? new Size(QUICK_SIDE / QUICK_TILE, QUICK_TILE) : new Size(SIDE / TILE, TILE);
        }

        /** A quarter of the size of the three matrices, in bytes. */
        long limit() {
            long elements = (long) tiles * side * tiles * side;
            return 3 * elements * Double.BYTES / 4;
        }

        /** A session with that limit, and the rest on disk. */
        SessionBuilder limited(int workers) {
            return Session.builder()
                    .workers(workers)
                    .hostMemory(limit())
                    .disk(Path.of(System.getProperty("java.io.tmpdir")), 4 * limit(), true);
        }
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int workers = Collections.max(plan.workers());
        Size size = Size.of(plan);
        return List.of(
                new Product("jacquard", workers, plan.clock(), size, true),
                new Product("jacquard-in-memory", workers, plan.clock(), size, false));
    }

    private static final class Product extends Contender {
        private final Clock clock;
        private final Size size;
        private final boolean limited;
        private final BlasRoutines<double[]> blas = Blases.open("auto").doubles();

        Product(String system, int workers, Clock clock, Size size, boolean limited) {
            super(system, workers);
            this.clock = clock;
            this.size = size;
            this.limited = limited;
        }

        @Override
        public Map<String, Double> round() {
            SessionBuilder builder =
                    limited ? size.limited(workers()) : Session.builder().workers(workers());
            try (Session session = builder.open()) {
                TiledProduct product = new TiledProduct(session, blas, size.tiles, size.side);
                product.fill();
                long start = clock.nanoTime();
                product.multiply();
                double seconds = (clock.nanoTime() - start) / 1e9;
                Transfers moved = session.data().transfers();
                verify(product.wrong() == 0, "the product");
                return figures(moved, seconds);
            }
        }

        private Map<String, Double> figures(Transfers moved, double seconds) {
            Map<String, Double> figures = new HashMap<>(Map.of(MAIN, seconds));
            if (limited) {
                Transfers.Used host = moved.spaces().getFirst();
                verify(
                        host.peak() <= size.limit(),
                        "the use of memory, limited to " + size.limit() + " bytes, " + host + ',');
                figures.put(".movedMiB", moved.bytes() / MEBIBYTE);
            }
            return figures;
        }
    }
}

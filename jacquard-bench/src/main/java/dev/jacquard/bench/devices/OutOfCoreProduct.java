package dev.jacquard.bench.devices;

import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.NamedContender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Rounds;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.core.clock.Clock;
import dev.jacquard.core.coherence.Transfers;
import dev.jacquard.core.data.Data;
import dev.jacquard.core.data.ElementType;
import dev.jacquard.core.data.Memory;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.numerics.blas.Blases;
import dev.jacquard.numerics.blas.DoubleBlas;
import dev.jacquard.numerics.blas.Transpose;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A product of two square matrices in tiles, with a quarter of the memory that the three take and the rest on disk, page cache bypassed, beside
 * the same with all of it.
 */
public final class OutOfCoreProduct implements Workload {
    private static final int SIDE = 8192;
    private static final int TILE = 1024;
    private static final int QUICK_SIDE = 256;
    private static final int QUICK_TILE = 32;
    private static final double MEBIBYTE = 1 << 20;

    /** For the list of workloads. */
    public OutOfCoreProduct() {}

    @Override
    public String name() {
        return "outofcore.matmul";
    }

    @Override
    public String unit() {
        return "s";
    }

    @Override
    public Rounds rounds(Plan plan) {
        return new Rounds(0, plan.quick() ? 1 : 3);
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        int side = plan.quick() ? QUICK_SIDE : SIDE;
        int tile = plan.quick() ? QUICK_TILE : TILE;
        int workers = Collections.max(plan.workers());
        long all = 3L * side * side * Double.BYTES;
        return List.of(
                new Product("jacquard", workers, plan.clock(), side / tile, tile, all / 4),
                new Product("jacquard-in-memory", workers, plan.clock(), side / tile, tile, Long.MAX_VALUE));
    }

    private static final class Product extends NamedContender {
        private final Clock clock;
        private final int tiles;
        private final int side;
        private final long limit;
        private final DoubleBlas blas = Blases.open("auto").doubles();

        Product(String system, int workers, Clock clock, int tiles, int side, long limit) {
            super(system, workers);
            this.clock = clock;
            this.tiles = tiles;
            this.side = side;
            this.limit = limit;
        }

        @Override
        public Map<String, Double> round() {
            Session.Builder builder = Session.builder().workers(workers()).hostMemory(limit);
            if (limit < Long.MAX_VALUE) {
                builder.disk(Path.of(System.getProperty("java.io.tmpdir")), 4 * limit, true);
            }
            try (Session session = builder.open()) {
                Data[][] a = matrix(session, "a", 1);
                Data[][] b = matrix(session, "b", 2);
                Data[][] c = matrix(session, "c", 0);
                session.graph().await();
                long start = clock.nanoTime();
                multiply(session.graph(), a, b, c);
                session.graph().await();
                double seconds = (clock.nanoTime() - start) / 1e9;
                check(session, c);
                return figures(session.data().transfers(), seconds);
            }
        }

        private Map<String, Double> figures(Transfers moved, double seconds) {
            Map<String, Double> figures = new HashMap<>(Map.of(MAIN, seconds));
            if (limit < Long.MAX_VALUE) {
                Transfers.Used host = moved.spaces().getFirst();
                verify(host.peak() <= limit, "the limit of " + limit + " bytes, exceeded: " + host);
                figures.put(".movedMiB", moved.bytes() / MEBIBYTE);
            }
            return figures;
        }

        private Data[][] matrix(Session session, String name, double value) {
            Data[][] made = new Data[tiles][tiles];
            for (int i = 0; i < tiles; i++) {
                for (int j = 0; j < tiles; j++) {
                    Data tile = session.data().matrix(name + i + "," + j, ElementType.FLOAT64, side, side);
                    made[i][j] = tile;
                    session.graph().task("fill").writes(tile).run(ctx -> {
                        Memory memory = ctx.memory(tile);
                        for (long at = 0; at < (long) side * side; at++) {
                            memory.setDouble(at, value);
                        }
                    });
                }
            }
            return made;
        }

        /** Two rows of the product at a time, so that a tile of the second factor serves both. */
        private void multiply(TaskGraph graph, Data[][] a, Data[][] b, Data[][] c) {
            for (int row = 0; row < tiles; row += 2) {
                for (int k = 0; k < tiles; k++) {
                    for (int j = 0; j < tiles; j++) {
                        for (int i = row; i < Math.min(row + 2, tiles); i++) {
                            product(graph, a[i][k], b[k][j], c[i][j]);
                        }
                    }
                }
            }
        }

        private void product(TaskGraph graph, Data a, Data b, Data c) {
            graph.task("gemm")
                    .reads(a)
                    .reads(b)
                    .updates(c)
                    .run(ctx -> blas.gemm(
                            Transpose.NO,
                            Transpose.NO,
                            side,
                            side,
                            side,
                            1,
                            ctx.memory(a).segment(),
                            0,
                            side,
                            ctx.memory(b).segment(),
                            0,
                            side,
                            1,
                            ctx.memory(c).segment(),
                            0,
                            side));
        }

        private void check(Session session, Data[][] c) {
            double expected = 2.0 * tiles * side;
            for (Data[] row : c) {
                for (Data tile : row) {
                    double found = session.graph()
                            .task("check")
                            .reads(tile)
                            .call(ctx -> ctx.memory(tile).getDouble(side - 1, side - 1))
                            .join();
                    verify(
                            found == expected,
                            tile.name() + ", whose last element is " + found + " and not " + expected);
                }
            }
        }
    }
}

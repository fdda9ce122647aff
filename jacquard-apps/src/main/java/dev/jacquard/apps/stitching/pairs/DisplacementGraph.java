package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.image.TiffHeader;
import dev.jacquard.apps.image.TiffReader;
import dev.jacquard.apps.stitching.align.Grid;
import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.apps.stitching.pairs.PairsRule.LoadedPair;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.Bookkeeper;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.numerics.fft.FftProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Builds and runs the flow graph that measures the displacements of all pairs of a plate. */
public final class DisplacementGraph {
    /**
     * The findings of phase 1.
     *
     * @param measurements one per pair, in the grid's order of pairs
     * @param profile where the time went
     * @param peakLive how many transforms lived at most
     */
    public record Displacements(List<Measurement> measurements, FlowProfile profile, int peakLive) {
        public Displacements {
            measurements = List.copyOf(measurements);
        }
    }

    /** All tiles are sent before the first measurement is read; measurements are small. */
    private static final FlowRun.Options READ_AT_THE_END =
            FlowRun.Options.defaults().withResultBound(0);

    private final FlowGraph<Integer, Measurement> graph;
    private final Grid grid;
    private final Kernels kernels;

    /**
     * A graph for one plate.
     *
     * @param tiles the tiles in the grid's order, all of one size
     * @param grid their places
     * @param pool how many transforms may live, as {@code smallestPool} at least
     * @param smallestPool how many must be able to, for the order in which tiles will come
     * @param library makes the transforms
     * @param prior the known properties of the stage
     * @param peaks how many peaks of a correlation are read
     * @param copies how many tiles and pairs are worked on at a time
     */
    public DisplacementGraph(
            List<TiffHeader> tiles,
            Grid grid,
            int pool,
            int smallestPool,
            FftProvider library,
            StagePrior prior,
            int peaks,
            int copies) {
        this.grid = grid;
        this.kernels = new Kernels(library, prior, peaks);
        int rows = prior.height();
        int columns = prior.width();
        List<List<Pair>> pairs = PairsRule.pairsOfTiles(grid);
        graph = FlowGraph.build("displacements", g -> {
            g.types(Integer.class, Measurement.class);
            MemoryEdge<TileBuffer> transforms = g.memory("transforms", pool, () -> new TileBuffer(rows, columns))
                    .atLeast(smallestPool, "the tiles that wait for a neighbour in this order, and the one that comes");
            FlowTask<Integer, LoadedTile> read = g.task("read", copies, () -> reader(tiles, pairs, transforms))
                    .takes(transforms)
                    .dry((tile, out) -> out.emit(new LoadedTile(tile, take(tile, pairs, transforms, out))));
            FlowTask<LoadedTile, LoadedTile> transform = g.<LoadedTile, LoadedTile>task(
                            "transform", copies, () -> kernels::transform)
                    .dry(tile -> List.of(tile));
            Bookkeeper<LoadedTile> neighbours = g.bookkeeper("neighbours");
            FlowTask<LoadedPair, Measurement> measure = g.<LoadedPair, Measurement>task(
                            "measure", copies, () -> kernels::measure)
                    .releases(transforms)
                    .dry(DisplacementGraph::measureDry);
            g.input().to(read).to(transform).to(neighbours);
            neighbours.rulePerRun(() -> new PairsRule(pairs)).to(measure).to(g.output());
        });
    }

    /**
     * Runs the graph's rules without images: finds, among others, the smallest pool of transforms for an order.
     *
     * @param order the numbers of all tiles, in the order in which they are read
     */
    public DryRun dryRun(int[] order) {
        return graph.dryRun(Arrays.stream(order).boxed().toList());
    }

    /**
     * Returns the bytes of heap that measuring a plate takes at least: the transforms that have to live at once, and
     * the memory of one call, since others may never compute at the same time.
     *
     * @param prior the size of a tile, and the window of displacements
     * @param smallestPool how many transforms must be able to live
     */
    public static long leastBytes(StagePrior prior, int smallestPool) {
        return smallestPool * TileBuffer.bytes(prior.height(), prior.width()) + Kernels.bytes(prior);
    }

    /** Returns a body that reads a tile into a buffer that is free when every pair of the tile was measured. */
    private static Body<Integer, LoadedTile> reader(
            List<TiffHeader> tiles, List<List<Pair>> pairs, MemoryEdge<TileBuffer> transforms) {
        TiffReader reader = new TiffReader();
        return (tile, out) -> {
            Handle<TileBuffer> buffer = take(tile, pairs, transforms, out);
            buffer.value().hold(reader.read(tiles.get(tile), buffer.value().samples()));
            out.emit(new LoadedTile(tile, buffer));
        };
    }

    private static Handle<TileBuffer> take(
            int tile, List<List<Pair>> pairs, MemoryEdge<TileBuffer> transforms, Emitter<LoadedTile> out) {
        return out.take(
                transforms, ReleaseRule.after(Math.max(1, pairs.get(tile).size())));
    }

    /** Lets go of both tiles of a pair, as {@link Kernels#measure} does. */
    private static void measureDry(LoadedPair pair, Emitter<Measurement> out) {
        out.release(pair.from().buffer());
        out.release(pair.to().buffer());
        out.emit(new Measurement(pair.pair(), 0, 0, 0, 0));
    }

    /**
     * Measures all pairs. The graph runs once.
     *
     * @param session runs it
     * @param order the numbers of all tiles, in the order in which they are read
     * @param started gets the action that stops the run, when it has begun
     * @param progress called once per measured pair
     * @throws dev.jacquard.flow.report.FlowFailedException when a tile cannot be read
     * @throws java.util.concurrent.CancellationException when it was stopped
     */
    public Displacements run(Session session, int[] order, Consumer<Runnable> started, Runnable progress) {
        Map<Pair, Measurement> found = new HashMap<>();
        try (kernels;
                FlowRun<Integer, Measurement> run = graph.start(session, READ_AT_THE_END)) {
            started.accept(run::cancel);
            for (int tile : order) {
                run.send(tile);
            }
            run.finish();
            for (Measurement measurement : run) {
                found.put(measurement.pair(), measurement);
                progress.run();
            }
            List<Measurement> inOrder = new ArrayList<>();
            grid.pairs().forEach(pair -> inOrder.add(found.get(pair)));
            FlowProfile profile = run.profile();
            return new Displacements(
                    inOrder, profile, profile.memories().getFirst().peak());
        }
    }
}

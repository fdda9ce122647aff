package dev.jacquard.apps.stitching;

import static dev.jacquard.memory.access.Access.update;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Composes a mosaic from placed tiles and hands its rows to a sink.
 *
 * <p>Tiles are submitted from the top down. Rows above every tile still to come are final: a task flushes them. The
 * submitter waits for the flush that frees the rows which the next tile needs, so memory is bounded by the ring.
 */
final class MosaicComposer {
    /**
     * A tile and where its top left pixel lies in the mosaic.
     *
     * @param index which tile
     * @param row its row in the grid, for the order in which tiles are laid down
     * @param column its column in the grid
     * @param x pixels from the mosaic's left edge, at least 0
     * @param y pixels from its top edge, at least 0
     */
    public record PlacedTile(int index, int row, int column, int x, int y) {}

    /** Takes the finished rows of the mosaic from top to bottom, by one thread at a time. */
    @FunctionalInterface
    public interface RowSink {
        /**
         * The next rows.
         *
         * @param samples {@code rows * width} unsigned samples, row after row; may be reused after the call
         * @param rows how many
         */
        void accept(short[] samples, int rows) throws IOException;
    }

    /** The source of tiles. Called by several workers at a time. */
    @FunctionalInterface
    public interface TileSource {
        /**
         * The tile; all tiles of a mosaic have the same size. It is no longer used when the same worker loads the next.
         *
         * @param index which tile
         * @param worker the worker that loads it: one tile at a time per worker
         */
        GrayImage load(int index, int worker) throws IOException;
    }

    /** Flushing fewer rows than this at a time is not worth a task. */
    private static final int FEWEST_ROWS = 32;
    /** More than this at a time would only take memory. */
    private static final int MOST_ROWS = 256;

    private final Session session;
    private final int tileWidth;
    private final int tileHeight;
    private final List<PlacedTile> tiles;
    private final int width;
    private final int height;

    /**
     * A composer for these tiles.
     *
     * @param session opened by the calling thread
     * @param tileWidth columns of every tile
     * @param tileHeight rows of every tile
     * @param tiles at least one; the smallest x and y are 0
     */
    public MosaicComposer(Session session, int tileWidth, int tileHeight, List<PlacedTile> tiles) {
        this.session = session;
        this.tileWidth = tileWidth;
        this.tileHeight = tileHeight;
        this.tiles = inOrder(tiles);
        this.width = tiles.stream().mapToInt(PlacedTile::x).max().orElseThrow() + tileWidth;
        this.height = tiles.stream().mapToInt(PlacedTile::y).max().orElseThrow() + tileHeight;
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    /** Rows from the top down; within a row of the grid even columns first, since these do not overlap each other. */
    private static List<PlacedTile> inOrder(List<PlacedTile> tiles) {
        List<PlacedTile> order = new ArrayList<>(tiles);
        order.sort(Comparator.comparingInt(PlacedTile::row)
                .thenComparing(tile -> tile.column() % 2)
                .thenComparing(PlacedTile::column));
        return order;
    }

    /**
     * Composes the mosaic; returns when the sink has taken the last row.
     *
     * @param started gets the action that stops the work, when it has begun
     * @throws java.util.concurrent.CancellationException when it was stopped
     * @throws dev.jacquard.core.graph.TaskFailedException when a tile cannot be loaded or the sink fails
     */
    public void compose(TileSource source, Blend blend, RowSink sink, Consumer<Runnable> started) {
        int[] finalRows = finalRowsBefore();
        Handle<RowRing> mosaic = session.wrap("mosaic", new RowRing(width, ringRows(finalRows), blend, depth()));
        Handle<RowSink> file = session.wrap("rows", sink);
        TaskGraph graph = session.graph("mosaic", FailurePolicy.STOP);
        started.accept(graph::cancel);
        Flushes flushes = new Flushes(graph, mosaic, file);
        for (int i = 0; i < tiles.size() && !graph.isCancelled(); i++) {
            PlacedTile tile = tiles.get(i);
            flushes.upTo(finalRows[i], false);
            flushes.makeRoomFor(tile.y() + tileHeight);
            graph.task("compose (" + tile.row() + "," + tile.column() + ")")
                    .accesses(
                            mosaic,
                            update(Area.of(tile.y(), tile.y() + tileHeight - 1L, tile.x(), tile.x() + tileWidth - 1L)))
                    .run(ctx -> ctx.get(mosaic).lay(source.load(tile.index(), ctx.worker()), tile.x(), tile.y()));
        }
        flushes.upTo(height, true);
        graph.await();
    }

    /** For each tile: how many rows lie above it and all tiles after it. */
    private int[] finalRowsBefore() {
        int[] rows = new int[tiles.size()];
        int top = Integer.MAX_VALUE;
        for (int i = tiles.size() - 1; i >= 0; i--) {
            top = Math.min(top, tiles.get(i).y());
            rows[i] = top;
        }
        return rows;
    }

    /** Enough for every tile at its turn, and for the next row of tiles to begin while the last is flushed. */
    private int ringRows(int[] finalRows) {
        int needed = tileHeight;
        for (int i = 0; i < finalRows.length; i++) {
            needed = Math.max(needed, tiles.get(i).y() + tileHeight - finalRows[i] + FEWEST_ROWS);
        }
        return Math.min(height, needed + tileHeight / 2);
    }

    /**
     * At least as many tiles as lie over any one pixel: the corners of tiles over a pixel in a cell of a tile's size
     * lie in that cell, or in the one to the left, above, or both.
     */
    private int depth() {
        Map<Long, Integer> depths = new HashMap<>();
        int depth = 1;
        for (PlacedTile tile : tiles) {
            for (int cell = 0; cell < 4; cell++) {
                int row = tile.y() / tileHeight + cell / 2;
                int column = tile.x() / tileWidth + cell % 2;
                depth = Math.max(depth, depths.merge((long) row << Integer.SIZE | column, 1, Integer::sum));
            }
        }
        return depth;
    }

    /** Submits the tasks that hand finished rows to the sink, and knows which rows are free again. */
    private final class Flushes {
        private final TaskGraph graph;
        private final Handle<RowRing> mosaic;
        private final Handle<RowSink> file;
        private final Deque<Flush> submitted = new ArrayDeque<>();
        /** The number of rows that the ring holds. */
        private final int capacity;
        /** The largest number of rows that are flushed at a time. */
        private final int most;
        /**
         * The rows on their way to the sink. Used by flushing tasks alone: these update the sink, one after the other.
         */
        private final short[] samples;

        private int flushed;
        private int free;

        Flushes(TaskGraph graph, Handle<RowRing> mosaic, Handle<RowSink> file) {
            this.graph = graph;
            this.mosaic = mosaic;
            this.file = file;
            this.capacity = mosaic.value().capacity();
            this.most = Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, capacity / 2));
            this.samples = new short[Math.multiplyExact(most, width)];
        }

        /** Flushes the rows above {@code end}, unless they are few and more will come. */
        void upTo(int end, boolean last) {
            while (end - flushed >= (last ? 1 : FEWEST_ROWS)) {
                submit(Math.min(most, end - flushed));
            }
        }

        private void submit(int rows) {
            int y = flushed;
            Task<@Nullable Void> result = graph.task("rows " + y)
                    .accesses(mosaic, update(Area.of(y, y + rows - 1L, 0, width - 1L)))
                    .updates(file)
                    .run(ctx -> {
                        ctx.get(mosaic).flush(y, rows, samples);
                        ctx.get(file).accept(samples, rows);
                    });
            flushed += rows;
            submitted.add(new Flush(flushed, result));
        }

        /** Waits until rows up to {@code end} fit next to the rows that are not flushed. */
        void makeRoomFor(int end) {
            while (end > free + capacity) {
                Flush oldest = submitted.remove();
                try {
                    oldest.result.join();
                } catch (TaskFailedException e) {
                    awaitRest(e);
                    throw e;
                } catch (CancellationException e) {
                    graph.await(); // tells the failure that stopped the graph, if one did
                    throw e;
                }
                free = oldest.end;
            }
        }

        /** Waits until nothing runs any more after {@code failure}, which is reported already. */
        private void awaitRest(TaskFailedException failure) {
            try {
                graph.await();
            } catch (TaskFailedException | CancellationException e) {
                Suppressed.add(failure, e);
            }
        }
    }

    private record Flush(int end, Task<@Nullable Void> result) {}
}

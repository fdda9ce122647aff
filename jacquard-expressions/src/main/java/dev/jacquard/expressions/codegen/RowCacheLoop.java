package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.RowCache;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A loop over a body with points that share values with their neighbours: a box of points after the other, it computes
 * these values into memory that stays in the second cache, and then the results. Along the slowest axis, boxes that
 * follow each other share the values that the first one has computed.
 *
 * <p>Threads: any; memory is lent to one run at a time.
 */
final class RowCacheLoop extends Loop {
    /** The bytes of all values that are kept for a box: the inputs and results need the rest of a block. */
    private static final long BYTES = Loops.blockBytes() / 2;
    /** The points of a longer row that are computed at a time: a multiple of the length of each vector. */
    private static final int MOST_OF_ROW = 1 << 11;
    /** The points of rows that are worth joining. */
    private static final int SHORT_ROW = 1 << 9;
    /** The fewest layers of a box along an axis: with fewer, most of the computed values would belong to neighbours. */
    private static final int LEAST_LAYERS = 8;

    /** Rows of the cache are as long as those of the inputs, at most this many times the needed length. */
    private static final int LONGEST = 2;

    /** A loop that fills a part of the cache. */
    private record Filling(LoopBody body, Loop loop, int[] low, int[] high) {
        int results() {
            return body.results().size();
        }

        /** Returns the layers beyond a box along an axis. */
        int more(int axis) {
            return high[axis] - low[axis];
        }
    }

    /** The box of points that is computed at a time. */
    private record Box(int x, int y, int z) {}

    private final LoopBody whole;
    private final List<Filling> fillings = new ArrayList<>();
    private final LoopBody rest;
    private final Loop last;
    /** The points that a loop computes at a time. */
    private final int vector;
    /** All fillings' results. */
    private final int kept;
    /** The memories of earlier runs. */
    private final Queue<Cache> free = new ConcurrentLinkedQueue<>();

    /**
     * @param vector the points that a loop computes at a time
     * @param loops of the stages
     * @param last of the rest
     */
    RowCacheLoop(LoopBody whole, RowCache cache, int vector, List<Loop> loops, Loop last) {
        this.whole = whole;
        this.vector = vector;
        this.rest = cache.rest();
        this.last = last;
        int count = 0;
        for (int i = 0; i < loops.size(); i++) {
            RowCache.Stage stage = cache.stages().get(i);
            fillings.add(new Filling(stage.body(), loops.get(i), ints(stage.low()), ints(stage.high())));
            count += stage.body().results().size();
        }
        this.kept = count;
    }

    private static int[] ints(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Cached rows have to be short, and some. */
    @Override
    public boolean likesLongRows() {
        return false;
    }

    @Override
    public void run(Binding fields, double[] parameters, Range range) {
        if (range.x0() >= range.x1()) {
            return;
        }
        Cache cache = free.poll();
        if (cache == null) {
            cache = new Cache();
        }
        try {
            cache.run(fields, parameters, range);
        } finally {
            free.add(cache);
        }
    }

    /** Returns the box of points for a range: the slowest axis is shortened first, then y; along x it is short. */
    private Box box(Range range) {
        int x = Math.min(range.x1() - range.x0(), MOST_OF_ROW);
        long rows = Math.max(1, BYTES / (kept * rowBytes(x)));
        int planes = range.z1() - range.z0();
        int y = Math.max(1, range.y1() - range.y0()); // a range without rows has a box, too: see ScratchLoop
        if (planes > 1) {
            y = (int) Math.min(y, Math.max(LEAST_LAYERS, Math.round(Math.sqrt((double) rows))));
        }
        int morePlanes = 0;
        int moreRows = 0;
        for (Filling filling : fillings) {
            moreRows = Math.max(moreRows, filling.more(1));
            morePlanes = Math.max(morePlanes, filling.more(2));
        }
        if (planes > 1) {
            long fitting = rows / (y + moreRows) - morePlanes;
            return new Box(x, y, (int) Math.min(planes, Math.max(LEAST_LAYERS, fitting)));
        }
        long fitting = rows / (1 + morePlanes) - moreRows;
        return new Box(x, (int) Math.min(y, Math.max(LEAST_LAYERS, fitting)), planes);
    }

    /** Returns the bytes of a row of the cache, with a vector before and one after. */
    private long rowBytes(int points) {
        int most = 0;
        for (Filling filling : fillings) {
            most = Math.max(most, filling.more(0));
        }
        long bytes = (long) (points + most + vector) * whole.type().bytes();
        return Math.ceilDiv(bytes, Layout.ALIGNMENT) * Layout.ALIGNMENT;
    }

    /** The memory of one run at a time, bound to the fields of the last one. */
    private final class Cache {
        private MemorySegment memory = MemorySegment.NULL;
        private long rowBytes;
        private long planeBytes;
        private long fieldBytes;

        private @Nullable Binding fields;
        private Box box = new Box(0, 0, 0);
        /** The fields and the cache, for each filling and then the last loop. */
        private final List<Binding> bindings = new ArrayList<>();

        void run(Binding its, double[] parameters, Range range) {
            bind(its, box(range));
            if (range.points() == 0) { // calls of no effect, for the JVM to count: see ScratchLoop
                for (int i = 0; i < fillings.size(); i++) {
                    fillings.get(i).loop.run(bindings.get(i), parameters, range);
                }
                last.run(bindings.getLast(), parameters, range);
                return;
            }
            int slow = range.z1() - range.z0() > 1 ? 2 : 1;
            for (int x = range.x0(); x < range.x1(); x += box.x) {
                Range column = range.along(0, x, Math.min(range.x1(), x + box.x));
                if (slow == 1) {
                    slide(column, 1, box.y, parameters);
                } else {
                    for (int y = range.y0(); y < range.y1(); y += box.y) {
                        slide(column.along(1, y, Math.min(range.y1(), y + box.y)), 2, box.z, parameters);
                    }
                }
            }
        }

        private void bind(Binding its, Box size) {
            if (its == fields && size.equals(box)) {
                return;
            }
            fields = null; // until all is bound
            box = size;
            int rows = 0;
            int planes = 0;
            for (Filling filling : fillings) {
                rows = Math.max(rows, size.y + filling.more(1));
                planes = Math.max(planes, size.z + filling.more(2));
            }
            rowBytes = Math.max(rowBytes(size.x), rowBytesOf(its));
            if (rowBytes > LONGEST * rowBytes(size.x)) {
                rowBytes = rowBytes(size.x);
            }
            planeBytes = rows * rowBytes;
            fieldBytes = planes * planeBytes;
            if (memory.byteSize() < fieldBytes * kept) {
                memory = Arena.ofAuto().allocate(fieldBytes * kept, Layout.ALIGNMENT);
            }
            bindings.clear();
            for (Filling filling : fillings) {
                List<Binding.Place> places = inputs(its);
                for (int i = 0; i < filling.results(); i++) {
                    places.add(place());
                }
                bindings.add(its.with(filling.body, places));
            }
            List<Binding.Place> places = inputs(its);
            for (int i = 0; i < kept; i++) {
                places.add(place());
            }
            for (int i = 0; i < whole.results().size(); i++) {
                places.add(its.place(whole.inputs() + i));
            }
            bindings.add(its.with(rest, places));
            fields = its;
        }

        /** Returns the bytes of the rows of all inputs, 0 if they differ: rows that are as long can be joined. */
        private long rowBytesOf(Binding its) {
            for (int i = 1; i < whole.inputs(); i++) {
                if (its.strideY(i) != its.strideY(0)) {
                    return 0;
                }
            }
            return its.strideY(0);
        }

        private List<Binding.Place> inputs(Binding its) {
            List<Binding.Place> places = new ArrayList<>();
            for (int i = 0; i < whole.inputs(); i++) {
                places.add(its.place(i));
            }
            return places;
        }

        private Binding.Place place() {
            return new Binding.Place(memory, 0, rowBytes, planeBytes);
        }

        /** Computes a column of boxes along an axis. */
        private void slide(Range column, int axis, int layers, double[] parameters) {
            int end = column.to(axis);
            for (int at = column.from(axis); at < end; at += layers) {
                Range points = column.along(axis, at, Math.min(end, at + layers));
                boolean isFirst = at == column.from(axis);
                long[] starts = new long[kept];
                int result = 0;
                for (int i = 0; i < fillings.size(); i++) {
                    Filling filling = fillings.get(i);
                    long[] own = new long[filling.results()];
                    for (int k = 0; k < own.length; k++, result++) {
                        own[k] = start(filling, result, points);
                        starts[result] = own[k];
                        if (!isFirst) {
                            keep(filling, result, points, axis, layers);
                        }
                    }
                    fill(filling, bindings.get(i).moved(whole.inputs(), own), parameters, points, axis, isFirst);
                }
                last.run(bindings.getLast().moved(whole.inputs(), starts), parameters, points);
            }
        }

        /** Returns the place of the point (0, 0, 0) of a result: the first one that is computed lies at its begin. */
        private long start(Filling filling, int result, Range points) {
            return result * fieldBytes
                    - (long) (points.x0() + filling.low[0]) * whole.type().bytes()
                    - (points.y0() + filling.low[1]) * rowBytes
                    - (points.z0() + filling.low[2]) * planeBytes;
        }

        /** Moves the last layers of the box before to the first ones of this. */
        private void keep(Filling filling, int result, Range points, int axis, int layers) {
            int more = filling.more(axis);
            long layer = axis == 1 ? rowBytes : planeBytes;
            int planes = axis == 1 ? points.z1() - points.z0() + filling.more(2) : 1;
            for (int plane = 0; plane < planes && more > 0; plane++) {
                long to = result * fieldBytes + plane * planeBytes;
                MemorySegment.copy(memory, to + layers * layer, memory, to, more * layer);
            }
        }

        /** Returns true for short rows with little between them: to begin and to end them is their main cost. */
        private boolean joins(Filling filling, Range rows) {
            int width = rows.x1() - rows.x0();
            return filling.loop.likesLongRows()
                    && width <= SHORT_ROW
                    && 2L * width * whole.type().bytes() >= rowBytes;
        }

        private void fill(
                Filling filling, Binding binding, double[] parameters, Range points, int axis, boolean isFirst) {
            int[] low = filling.low;
            int[] high = filling.high;
            Range wide = new Range(
                    points.x0() + low[0],
                    points.x1() + high[0],
                    points.y0() + low[1],
                    points.y1() + high[1],
                    points.z0() + low[2],
                    points.z1() + high[2]);
            Range rows = isFirst ? wide : wide.along(axis, wide.from(axis) + filling.more(axis), wide.to(axis));
            Range its = joins(filling, rows) ? binding.joined(filling.body, rows) : rows;
            int count = its.x1() - its.x0();
            // the last vector of a row may read as far as that of the whole loop does, and no further
            int most = points.x0() + Math.ceilDiv(points.x1() - points.x0(), vector) * vector + high[0];
            int beyond = wide.x0() + Math.ceilDiv(count, vector) * vector - (count - (wide.x1() - wide.x0()));
            if (beyond <= most) {
                filling.loop.run(binding, parameters, its);
            } else {
                Range last = its.equals(rows) ? rows : rows.along(1, rows.y1() - 1, rows.y1());
                filling.loop.run(binding, parameters, its.along(0, its.x0(), its.x0() + count / vector * vector));
                filling.loop.run(binding, parameters, last.along(0, wide.x1() - vector, wide.x1()));
            }
        }
    }
}

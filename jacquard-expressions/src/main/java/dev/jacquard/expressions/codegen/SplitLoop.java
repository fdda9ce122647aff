package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.memory.data.Layout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A loop of several, for bodies too large for one: for each row one loop after the other, with values that later ones
 * need in rows between them.
 *
 * <p>Threads: any; rows are lent to one run at a time.
 */
final class SplitLoop extends Loop {
    private final LoopBody whole;
    private final LoopBody.Split split;
    private final List<Loop> loops;
    /** Memory for the rows between loops, of earlier runs. */
    private final Queue<MemorySegment> free = new ConcurrentLinkedQueue<>();

    private SplitLoop(LoopBody whole, LoopBody.Split split, List<Loop> loops) {
        this.whole = whole;
        this.split = split;
        this.loops = loops;
    }

    /** Returns the loop of a body in {@code count} parts; nothing if one of them is too large. */
    static Optional<SplitLoop> of(LoopBody body, int count, boolean lanes) {
        LoopBody.Split split = new LoopBody.Split(body, count);
        List<LoopClass> classes = new ArrayList<>();
        for (LoopBody.Split.Part part : split.parts()) {
            Optional<LoopClass> its = LoopClass.of(part.body(), lanes);
            if (its.isEmpty()) {
                return Optional.empty();
            }
            classes.add(its.get());
        }
        return Optional.of(
                new SplitLoop(body, split, classes.stream().map(LoopClass::load).toList()));
    }

    /** Returns the number of its classes. */
    int classes() {
        return loops.size();
    }

    @Override
    public void run(Binding fields, double[] parameters, Range range) {
        if (range.x0() >= range.x1()) {
            return;
        }
        int size = whole.type().bytes();
        // A vector after the row, and one more, so that the next row begins on a boundary, too.
        long rowBytes =
                (Math.ceilDiv((long) (range.x1() - range.x0()) * size, Layout.ALIGNMENT) + 2) * Layout.ALIGNMENT;
        long bytes = rowBytes * Math.max(1, split.rows());
        MemorySegment rows = free.poll();
        if (rows == null || rows.byteSize() < bytes) {
            rows = Arena.ofAuto().allocate(bytes, Layout.ALIGNMENT);
        }
        try {
            List<Binding> bindings = bindings(fields, rows, rowBytes, -(long) range.x0() * size);
            if (range.points() == 0) { // calls of no effect, for the JVM to count: see ScratchLoop
                for (int i = 0; i < loops.size(); i++) {
                    loops.get(i).run(bindings.get(i), parameters, range);
                }
                return;
            }
            for (int z = range.z0(); z < range.z1(); z++) {
                for (int y = range.y0(); y < range.y1(); y++) {
                    Range row = new Range(range.x0(), range.x1(), y, y + 1, z, z + 1);
                    for (int i = 0; i < loops.size(); i++) {
                        loops.get(i).run(bindings.get(i), parameters, row);
                    }
                }
            }
        } finally {
            free.add(rows);
        }
    }

    /** Rows between loops have to stay in a cache. */
    @Override
    public boolean likesLongRows() {
        return false;
    }

    private List<Binding> bindings(Binding fields, MemorySegment rows, long rowBytes, long start) {
        List<Binding> bindings = new ArrayList<>();
        List<LoopBody.Split.Part> parts = split.parts();
        for (int i = 0; i < parts.size(); i++) {
            List<Binding.Place> places = new ArrayList<>();
            for (int input = 0; input < whole.inputs(); input++) {
                places.add(fields.place(input));
            }
            parts.get(i).reads().forEach(row -> places.add(place(rows, row, rowBytes, start)));
            parts.get(i).writes().forEach(row -> places.add(place(rows, row, rowBytes, start)));
            for (int result = 0;
                    i == parts.size() - 1 && result < whole.results().size();
                    result++) {
                places.add(fields.place(whole.inputs() + result));
            }
            bindings.add(fields.with(parts.get(i).body(), places));
        }
        return bindings;
    }

    private static Binding.Place place(MemorySegment rows, int row, long rowBytes, long start) {
        return new Binding.Place(rows, row * rowBytes + start, 0, 0);
    }
}

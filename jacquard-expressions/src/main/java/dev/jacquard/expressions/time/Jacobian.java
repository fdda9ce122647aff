package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Body;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.memory.data.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The derivatives of a rate in each cell by a field's values in the cells around, with the fields' values of now.
 *
 * <p>Threads: any, each with {@linkplain Rows rows} of its own.
 */
final class Jacobian {
    private final Grid grid;
    private final Partials partials;
    private final List<Loop> loops;
    private final List<double[]> parameters;
    private final List<Binding.Place> places;

    /**
     * @param loop returns the loop of a body, which writes no more than its range
     * @param parameter returns the number of a name
     * @param places of the inputs
     */
    Jacobian(
            Grid grid,
            Partials partials,
            Function<Body, Loop> loop,
            Function<String, Double> parameter,
            List<Binding.Place> places) {
        this.grid = grid;
        this.partials = partials;
        this.loops = partials.bodies().stream().map(loop).toList();
        this.parameters = partials.bodies().stream()
                .map(body ->
                        body.parameters().stream().mapToDouble(parameter::apply).toArray())
                .toList();
        this.places = List.copyOf(places);
    }

    /** Returns the distances of the cells that the rate reads. */
    List<Element> distances() {
        return partials.distances();
    }

    /** Returns room for the derivatives in some rows of a plane. */
    Rows rows(int most) {
        return new Rows(most);
    }

    /** The derivatives in some rows of a plane. Confined to one thread. */
    final class Rows {
        private final int most;
        /** By the distances, then by rows; one of the arrays is empty. */
        private final double[] doubles;

        private final float[] floats;
        private int firstY;

        private Rows(int most) {
            this.most = most;
            int count = Math.multiplyExact(distances().size() * most, grid.cells(0));
            boolean single = grid.type() == ElementType.FLOAT32;
            doubles = new double[single ? 0 : count];
            floats = new float[single ? count : 0];
        }

        /** Computes the derivatives in the rows of a plane from {@code y0} to before {@code y1}. */
        void compute(int y0, int y1, int z) {
            firstY = y0;
            MemorySegment results = floats.length > 0 ? MemorySegment.ofArray(floats) : MemorySegment.ofArray(doubles);
            long pitch = (long) grid.cells(0) * grid.type().bytes();
            int number = 0;
            for (int i = 0; i < loops.size(); i++) {
                Body body = partials.bodies().get(i);
                List<Binding.Place> its = new ArrayList<>(places);
                for (int result = 0; result < body.results().size(); result++) {
                    its.add(new Binding.Place(results, ((long) number * most - y0) * pitch, pitch, 0));
                    number++;
                }
                Range range = new Range(0, grid.cells(0), y0, y1, z, z + 1);
                loops.get(i).run(new Binding(body, its), parameters.get(i), range);
            }
        }

        /** Copies the derivatives in a cell of these rows, in the order of the distances. */
        void get(int x, int y, double[] into) {
            int cells = grid.cells(0);
            int at = (y - firstY) * cells + x;
            for (int i = 0; i < into.length; i++, at += most * cells) {
                into[i] = floats.length > 0 ? floats[at] : doubles[at];
            }
        }
    }
}

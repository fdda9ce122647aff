package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;

/** The values of a field while its memory is open. Confined to one thread. */
final class FieldValues {
    private final Grid grid;
    private final Centring centring;
    private final Binding.Place place;
    private final boolean single;

    FieldValues(GridField field, Memory memory) {
        this.grid = field.grid();
        this.centring = field.centring();
        this.place = field.place(memory);
        this.single = grid.type() == DataType.FLOAT32;
    }

    /** Looks at a field when the tasks that write it are over, which may give it values. */
    static <T> T look(Session session, OldValues old, GridField field, Function<FieldValues, T> look) {
        try (UserView view = session.data().open(field.data(), Mode.READ)) {
            return look.apply(new FieldValues(old.requireNew(field), view.memory()));
        } catch (TaskFailedException e) { // there is nothing to look at; a tree's reason says more
            old.requireNew(field);
            throw e;
        }
    }

    /**
     * Sets all values, ghosts included.
     *
     * @throws CancellationException if the calling thread is interrupted, as it stays
     */
    void set(FieldStore.PointFunction function) {
        Range range = grid.valid(centring);
        double[] row = new double[range.x1() - range.x0()];
        double[] xs = new double[row.length];
        Arrays.setAll(xs, i -> coordinate(0, range.x0() + i));
        for (int z = range.z0(); z < range.z1(); z++) {
            double atZ = coordinate(2, z);
            for (int y = range.y0(); y < range.y1(); y++) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("interrupted while the values of a field were set; the field has no"
                            + " values until it is set again");
                }
                double atY = coordinate(1, y);
                for (int i = 0; i < row.length; i++) {
                    row[i] = function.at(xs[i], atY, atZ);
                }
                put(range.x0(), y, z, row);
            }
        }
    }

    private double coordinate(int axis, int index) {
        return axis < grid.dimensions() ? grid.coordinate(centring, axis, index) : 0;
    }

    /** Returns the values without ghosts; x varies fastest. */
    double[] values() {
        Range range = grid.interior(centring);
        double[] values = new double[Math.toIntExact(range.points())];
        int at = 0;
        for (int z = 0; z < range.z1(); z++) {
            for (int y = 0; y < range.y1(); y++) {
                get(y, z, values, at, range.x1());
                at += range.x1();
            }
        }
        return values;
    }

    /** Reduces each row from its first value on, and the rows as a tree; its shape depends on the grid alone. */
    double reduce(double start, DoubleBinaryOperator add, DoubleBinaryOperator join) {
        Range range = grid.interior(centring);
        List<Double> rows = new ArrayList<>();
        double[] values = new double[range.x1()];
        for (int z = 0; z < range.z1(); z++) {
            for (int y = 0; y < range.y1(); y++) {
                get(y, z, values, 0, values.length);
                double row = start;
                for (double value : values) {
                    row = add.applyAsDouble(row, value);
                }
                rows.add(row);
            }
        }
        while (rows.size() > 1) {
            List<Double> joined = new ArrayList<>((rows.size() + 1) / 2);
            for (int i = 0; i + 1 < rows.size(); i += 2) {
                joined.add(join.applyAsDouble(rows.get(i), rows.get(i + 1)));
            }
            if (rows.size() % 2 == 1) {
                joined.add(rows.getLast());
            }
            rows = joined;
        }
        return rows.getFirst();
    }

    /** Returns the first point without a finite value; an empty array if there is none. */
    int[] firstNotFinite() {
        Range range = grid.interior(centring);
        double[] row = new double[range.x1()];
        for (int z = 0; z < range.z1(); z++) {
            for (int y = 0; y < range.y1(); y++) {
                get(y, z, row, 0, row.length);
                if (Double.isNaN(sumOfZeros(row))) {
                    int x = 0;
                    while (Double.isFinite(row[x])) {
                        x++;
                    }
                    return new int[] {x, y, z};
                }
            }
        }
        return new int[0];
    }

    /** Returns 0, unless one value is not finite. */
    private static double sumOfZeros(double[] row) {
        double sum = 0;
        for (double value : row) {
            sum += value * 0;
        }
        return sum;
    }

    /** Returns the root of the mean square, also where no double has the squares. */
    double norm2() {
        double squares = squares(1);
        double scale = 1;
        if (squares < Double.MIN_NORMAL || Double.isInfinite(squares)) {
            double largest = reduce(0, (most, one) -> Math.max(most, Math.abs(one)), Math::max);
            if (largest > 0 && Double.isFinite(largest)) {
                scale = Math.scalb(1.0, -Math.clamp(Math.getExponent(largest), -1022, 1022));
                squares = squares(scale);
            }
        }
        return Math.sqrt(squares / grid.interior(centring).points()) / scale;
    }

    private double squares(double scale) {
        return reduce(0, (all, one) -> all + (scale * one) * (scale * one), Double::sum);
    }

    private long offset(int x, int y, int z) {
        return place.start()
                + y * place.strideY()
                + z * place.strideZ()
                + (long) x * grid.type().bytes();
    }

    /** Copies the first {@code count} values of a row without ghosts. */
    private void get(int y, int z, double[] to, int at, int count) {
        MemorySegment memory = place.segment();
        if (single) {
            float[] floats = new float[count];
            MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT_UNALIGNED, offset(0, y, z), floats, 0, count);
            for (int i = 0; i < count; i++) {
                to[at + i] = floats[i];
            }
        } else {
            MemorySegment.copy(memory, ValueLayout.JAVA_DOUBLE_UNALIGNED, offset(0, y, z), to, at, count);
        }
    }

    /** Sets the values of a row from {@code x} on. */
    private void put(int x, int y, int z, double[] values) {
        MemorySegment memory = place.segment();
        if (single) {
            float[] floats = new float[values.length];
            for (int i = 0; i < values.length; i++) {
                floats[i] = (float) values[i];
            }
            MemorySegment.copy(floats, 0, memory, ValueLayout.JAVA_FLOAT_UNALIGNED, offset(x, y, z), floats.length);
        } else {
            MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_DOUBLE_UNALIGNED, offset(x, y, z), values.length);
        }
    }
}

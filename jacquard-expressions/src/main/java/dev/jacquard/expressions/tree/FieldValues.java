package dev.jacquard.expressions.tree;

import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Field;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Centring;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.ElementType;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** The values of a field while its memory is open. Confined to one thread. */
final class FieldValues {
    private final Grid grid;
    private final Centring centring;
    private final Binding.Place place;
    private final boolean single;

    FieldValues(Field field, Memory memory) {
        this.grid = field.grid();
        this.centring = field.centring();
        this.place = field.place(memory);
        this.single = grid.type() == ElementType.FLOAT32;
    }

    /** Sets all values, ghosts included. */
    void set(FieldStore.PointFunction function) {
        Range range = grid.valid(centring);
        for (int z = range.z0(); z < range.z1(); z++) {
            double atZ = coordinate(2, z);
            for (int y = range.y0(); y < range.y1(); y++) {
                double atY = coordinate(1, y);
                for (int x = range.x0(); x < range.x1(); x++) {
                    put(x, y, z, function.at(coordinate(0, x), atY, atZ));
                }
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
        int i = 0;
        for (int z = 0; z < range.z1(); z++) {
            for (int y = 0; y < range.y1(); y++) {
                for (int x = 0; x < range.x1(); x++) {
                    values[i++] = get(x, y, z);
                }
            }
        }
        return values;
    }

    /** Reduces each row from its first value on, and the rows as a tree, whose shape is the grid's alone. */
    double reduce(double start, DoubleBinaryOperator add, DoubleBinaryOperator join) {
        Range range = grid.interior(centring);
        List<Double> rows = new ArrayList<>();
        for (int z = 0; z < range.z1(); z++) {
            for (int y = 0; y < range.y1(); y++) {
                double row = start;
                for (int x = 0; x < range.x1(); x++) {
                    row = add.applyAsDouble(row, get(x, y, z));
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
        for (int z = 0; z < range.z1(); z++) {
            for (int y = 0; y < range.y1(); y++) {
                double sum = 0; // of zeros, unless one value is not finite
                for (int x = 0; x < range.x1(); x++) {
                    sum += get(x, y, z) * 0;
                }
                for (int x = 0; Double.isNaN(sum); x++) {
                    if (!Double.isFinite(get(x, y, z))) {
                        return new int[] {x, y, z};
                    }
                }
            }
        }
        return new int[0];
    }

    /** Reduces a field, whose memory is opened for that: each row, then pairs of rows. */
    static double reduce(
            Session session, Field field, double start, DoubleBinaryOperator add, DoubleBinaryOperator join) {
        try (UserView view = session.data().open(field.data(), Mode.READ)) {
            return new FieldValues(field, view.memory()).reduce(start, add, join);
        }
    }

    private double get(int x, int y, int z) {
        MemorySegment memory = place.segment();
        long row = place.start() + y * place.strideY() + z * place.strideZ();
        return single
                ? memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, row + (long) x * Float.BYTES)
                : memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, row + (long) x * Double.BYTES);
    }

    private void put(int x, int y, int z, double value) {
        MemorySegment memory = place.segment();
        long row = place.start() + y * place.strideY() + z * place.strideZ();
        if (single) {
            memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, row + (long) x * Float.BYTES, (float) value);
        } else {
            memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, row + (long) x * Double.BYTES, value);
        }
    }
}

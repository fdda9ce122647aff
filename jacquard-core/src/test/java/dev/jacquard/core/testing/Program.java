package dev.jacquard.core.testing;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Mode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a submitter does: lines in submission order, each a task on some of the fields. Immutable; prints as a list that a
 * person can read.
 */
public record Program(List<Field> fields, List<Line> lines) {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** {@code access} to field number {@code field}. */
    public record Touch(int field, Access access) {
        @Override
        public String toString() {
            return access + " f" + field;
        }
    }

    /**
     * One task.
     *
     * @param id decides what the task writes
     * @param name need not be unique
     * @param touches in the order of their declaration
     * @param fails whether its body throws, when all is written
     * @param spins how long the body takes, in turns of an idle loop
     */
    public record Line(int id, String name, List<Touch> touches, boolean fails, int spins) {
        @Override
        public String toString() {
            return "t" + id + " \"" + name + "\" " + touches + (fails ? " fails" : "");
        }
    }

    /** What {@code line}'s body does to the cells of its fields. */
    public void perform(Line line, IntFunction<long[]> cells) {
        long[] fold = {mix(line.id)};
        for (Touch touch : line.touches) {
            if (touch.access.reads() && !isAtomic(touch.access)) {
                long[] read = cells.apply(touch.field);
                fields.get(touch.field).touched(touch.access, cell -> fold[0] = mix(fold[0] ^ read[cell]));
            }
        }
        for (int i = 0; i < line.spins; i++) {
            Thread.onSpinWait();
        }
        for (Touch touch : line.touches) {
            if (touch.access.writes()) {
                long[] written = cells.apply(touch.field);
                Access kind = touch.access.whole();
                fields.get(touch.field).touched(touch.access, cell -> write(kind, written, cell, mix(fold[0] + cell)));
            }
        }
    }

    /** Adds and multiplies as those must who do so side by side; the outcome does not depend on their order. */
    private static void write(Access kind, long[] cells, int cell, long value) {
        if (kind == Mode.ADD) {
            CELL.getAndAdd(cells, cell, value);
        } else if (kind == Mode.MUL) {
            long old;
            do {
                old = (long) CELL.getVolatile(cells, cell);
            } while (!CELL.weakCompareAndSet(cells, cell, old, old * (value | 1)));
        } else {
            cells[cell] = value;
        }
    }

    /** Whether the task must not look at what it finds: others of the kind change it meanwhile. */
    private static boolean isAtomic(Access access) {
        return access.whole() == Mode.ADD || access.whole() == Mode.MUL;
    }

    /** Fresh cells, all different. */
    public List<long[]> cells() {
        return IntStream.range(0, fields.size())
                .mapToObj(field -> IntStream.range(0, fields.get(field).cells())
                        .mapToLong(cell -> mix(((long) field << 32) - cell))
                        .toArray())
                .toList();
    }

    /** This program without the lines {@code from} (included) to {@code to} (excluded). */
    public Program without(int from, int to) {
        return new Program(
                fields,
                IntStream.range(0, lines.size())
                        .filter(i -> i < from || i >= to)
                        .mapToObj(lines::get)
                        .toList());
    }

    /** Scatters the bits: the finalizer of SplitMix64. */
    private static long mix(long bits) {
        long z = bits + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    @Override
    public String toString() {
        return fields + "\n  " + lines.stream().map(Line::toString).collect(Collectors.joining("\n  "));
    }
}

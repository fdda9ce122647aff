package dev.jacquard.core.testing;

import dev.jacquard.core.access.Mode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What submitters do: for each its lines in submission order, each a task on some of the fields. Immutable; prints as Java.
 *
 * @param fields the resources; a parent comes before its parts
 * @param submitters of which the first is the thread that opened the session
 */
public record Program(List<Field> fields, List<List<Line>> submitters) {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    /** Every line, those inside of others and those submitted by bodies included. */
    public Stream<Line> lines() {
        return submitters.stream().flatMap(List::stream).flatMap(Line::all);
    }

    /** What the body of line {@code id} does to the cells when it may do {@code touches}. */
    void perform(int id, List<Touch> touches, List<long[]> cells) {
        long[] fold = {mix(id)};
        for (Touch touch : touches) {
            if (touch.reads() && !touch.isAtomic()) {
                touched(touch, (field, cell) -> fold[0] = mix(fold[0] ^ cells.get(field)[cell]));
            }
        }
        for (Touch touch : touches) {
            if (touch.writes()) {
                touched(touch, (field, cell) -> write(touch.mode(), cells.get(field), cell, mix(fold[0] + cell)));
            }
        }
    }

    /** Who touches all of a field touches its parts, too. */
    private void touched(Touch touch, CellSink sink) {
        Rules rules = new Rules(fields);
        for (int number = touch.field(); number < fields.size(); number++) {
            int field = number;
            if (number == touch.field()) {
                fields.get(number).touched(touch.access(), cell -> sink.accept(field, cell));
            } else if (touch.isWhole() && rules.isWithin(number, touch.field())) {
                fields.get(number).touched(touch.mode(), cell -> sink.accept(field, cell));
            }
        }
    }

    private interface CellSink {
        void accept(int field, int cell);
    }

    /** Adds and multiplies as those must who do so side by side; the outcome does not depend on their order. */
    private static void write(Mode mode, long[] cells, int cell, long value) {
        if (mode == Mode.ADD) {
            CELL.getAndAdd(cells, cell, value);
        } else if (mode == Mode.MUL) {
            long old;
            do {
                old = (long) CELL.getVolatile(cells, cell);
            } while (!CELL.weakCompareAndSet(cells, cell, old, old * (value | 1)));
        } else {
            cells[cell] = value;
        }
    }

    /** Fresh cells, all different. */
    List<long[]> cells() {
        return IntStream.range(0, fields.size())
                .mapToObj(field -> IntStream.range(0, fields.get(field).cells())
                        .mapToLong(cell -> mix(((long) field << 32) - cell))
                        .toArray())
                .toList();
    }

    /** Simpler programs: with fewer lines, the fewest first, then with simpler lines. */
    Stream<Program> simpler() {
        List<Program> all = new ArrayList<>();
        for (int who = 0; who < submitters.size(); who++) {
            List<Line> lines = submitters.get(who);
            if (submitters.size() > 1) {
                List<List<Line>> fewer = new ArrayList<>(submitters);
                fewer.remove(who);
                all.add(new Program(fields, List.copyOf(fewer)));
            }
            for (int chunk = Math.max(2, lines.size() / 2); chunk > 1; chunk /= 2) {
                for (int from = lines.size() - chunk; from >= 0; from -= chunk) {
                    List<Line> left = new ArrayList<>(lines);
                    left.subList(from, from + chunk).clear();
                    all.add(with(who, List.copyOf(left)));
                }
            }
        }
        Stream<Program> simpler = all.stream();
        for (int who = 0; who < submitters.size(); who++) {
            int at = who;
            simpler =
                    Stream.concat(simpler, Line.fewerLines(submitters.get(who)).map(left -> with(at, left)));
        }
        return simpler;
    }

    private Program with(int submitter, List<Line> lines) {
        return new Program(fields, Line.replaced(submitters, submitter, lines));
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
        return new ProgramText(this).toString();
    }
}

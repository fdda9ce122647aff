package dev.jacquard.core.testing.random;

import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Some cells as a task finds them, row by row, and what it does with them. */
interface Operand {
    How mode();

    int size();

    long get(int i);

    void set(int i, long value);

    void add(int i, long value);

    void multiply(int i, long factor);

    /** Returns where the {@code i}th element lies, in elements from the first. */
    static long at(Layout layout, int i) {
        long left = i;
        long at = 0;
        for (int d = layout.dimensions() - 1; d >= 0; d--) {
            at += left % layout.extent(d) * layout.stride(d);
            left /= layout.extent(d);
        }
        return at;
    }

    /** Cells of a plain array. */
    record Plain(How mode, Type type, long[] cells, Span span) implements Operand {
        private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

        @Override
        public int size() {
            return span.size();
        }

        @Override
        public long get(int i) {
            return cells[span.cell(i)];
        }

        @Override
        public void set(int i, long value) {
            cells[span.cell(i)] = type.hold(value);
        }

        @Override
        public void add(int i, long value) {
            if (type == Type.LONG) {
                CELL.getAndAdd(cells, span.cell(i), value);
            } else {
                set(i, get(i) + value); // the model, which runs alone
            }
        }

        @Override
        public void multiply(int i, long factor) {
            long old;
            do {
                old = (long) CELL.getVolatile(cells, span.cell(i));
            } while (!CELL.weakCompareAndSet(cells, span.cell(i), old, old * factor));
        }
    }

    /** Elements of data. */
    record InMemory(How mode, Type type, Memory memory, boolean atomic) implements Operand {
        @Override
        public int size() {
            return (int) memory.layout().elements();
        }

        private long at(int i) {
            return Operand.at(memory.layout(), i);
        }

        @Override
        public long get(int i) {
            return type.get(memory, at(i));
        }

        @Override
        public void set(int i, long value) {
            type.set(memory, at(i), value);
        }

        @Override
        public void add(int i, long value) {
            if (atomic) {
                type.add(memory, at(i), value);
            } else {
                set(i, get(i) + value);
            }
        }

        @Override
        public void multiply(int i, long factor) {
            throw new UnsupportedOperationException("data is not multiplied");
        }
    }
}

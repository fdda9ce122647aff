package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;

/**
 * The representation of the values in a loop: a number each, or a vector of them. Writes the instructions of one value,
 * the operands of which are in local variables, and leaves the result on the stack.
 */
interface Representation {
    /** Returns the number of points that are computed at a time. */
    int points();

    /** Returns the kind of the local variables that hold values of a kind. */
    TypeKind local(Value.Kind kind);

    /** Pushes the elements at a place of the memory in the variable {@code segment}. */
    void load(CodeBuilder code, int segment, Place place);

    /** Writes the real in the variable {@code real} to a place of the memory in the variable {@code segment}. */
    void store(CodeBuilder code, int segment, Place place, int real);

    /** Pushes the index that the variable {@code index}, an int, holds for the first of the points, as reals. */
    void index(CodeBuilder code, int index);

    /**
     * Pushes the value of an operation.
     *
     * @param locals the variables of all values by their numbers
     */
    void apply(CodeBuilder code, Value value, int[] locals);

    /** Returns the variable that holds for all points the value of {@code scalar}, a variable of {@link Scalars}. */
    int spread(CodeBuilder code, Value.Kind kind, int scalar);

    /**
     * A place in memory.
     *
     * @param base the variable of the byte address of the first element that the row's point 0 reads, a long
     * @param offset the variable of the bytes from point 0 to the point, a long
     * @param distance bytes from the first element that the point reads to this one, 0 or more
     */
    record Place(int base, int offset, int distance) {
        void push(CodeBuilder code) {
            code.lload(base).lload(offset).ladd();
            if (distance != 0) {
                code.loadConstant((long) distance).ladd();
            }
        }
    }
}

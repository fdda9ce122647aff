package dev.jacquard.expressions.codegen;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.jacquard.expressions.loop.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * A vector of numbers, or a mask, for each value. Names the classes of the module {@code jdk.incubator.vector}, but
 * needs none of them itself.
 */
final class Vectors implements Representation {
    private static final String MODULE = "jdk.incubator.vector";
    private static final ClassDesc VECTOR = ClassDesc.of(MODULE, "Vector");
    private static final ClassDesc MASK = ClassDesc.of(MODULE, "VectorMask");
    private static final ClassDesc SPECIES = ClassDesc.of(MODULE, "VectorSpecies");
    private static final ClassDesc OPERATORS = ClassDesc.of(MODULE, "VectorOperators");
    private static final ClassDesc LANES = ClassDesc.of("dev.jacquard.expressions.codegen.Lanes");
    private static final ClassDesc ORDER = ClassDesc.of("java.nio.ByteOrder");

    private final boolean single;
    private final int points;
    private final Scalars scalars;
    private final ClassDesc real;
    private final ClassDesc integer;
    private final ClassDesc realLane;
    private final ClassDesc integerLane;

    /** Represents values as vectors of {@code points} floats if {@code single}, else of doubles. */
    Vectors(boolean single, int points) {
        this.single = single;
        this.points = points;
        scalars = new Scalars(single);
        real = ClassDesc.of(MODULE, single ? "FloatVector" : "DoubleVector");
        integer = ClassDesc.of(MODULE, single ? "IntVector" : "LongVector");
        realLane = single ? CD_float : CD_double;
        integerLane = single ? CD_int : CD_long;
    }

    @Override
    public int points() {
        return points;
    }

    @Override
    public TypeKind local(Value.Kind kind) {
        return TypeKind.REFERENCE;
    }

    @Override
    public void load(CodeBuilder code, int segment, Place place) {
        realSpecies(code).aload(segment);
        place.push(code);
        order(code);
        code.invokestatic(real, "fromMemorySegment", MethodTypeDesc.of(real, SPECIES, Scalars.SEGMENT, CD_long, ORDER));
    }

    @Override
    public void store(CodeBuilder code, int segment, Place place, int value) {
        code.aload(value).aload(segment);
        place.push(code);
        order(code);
        code.invokevirtual(real, "intoMemorySegment", MethodTypeDesc.of(CD_void, Scalars.SEGMENT, CD_long, ORDER));
    }

    /** Pushes the indexes of the points; floats by way of integers, since they may have too few digits for a sum. */
    @Override
    public void index(CodeBuilder code, int index) {
        if (single) {
            integerSpecies(code).iload(index);
            broadcast(code, integer, integerLane);
            code.iconst_1().invokevirtual(integer, "addIndex", MethodTypeDesc.of(integer, CD_int));
            ClassDesc conversion = OPERATORS.nested("Conversion");
            code.getstatic(OPERATORS, "I2F", conversion);
            realSpecies(code).iconst_0();
            code.invokevirtual(integer, "convertShape", MethodTypeDesc.of(VECTOR, conversion, SPECIES, CD_int));
            code.checkcast(real);
        } else {
            realSpecies(code).iload(index).i2d();
            broadcast(code, real, realLane);
            code.iconst_1().invokevirtual(real, "addIndex", MethodTypeDesc.of(real, CD_int));
        }
    }

    @Override
    public int spread(CodeBuilder code, Value.Kind kind, int scalar) {
        (kind == Value.Kind.INTEGER ? integerSpecies(code) : realSpecies(code)).loadLocal(scalars.local(kind), scalar);
        switch (kind) {
            case REAL -> broadcast(code, real, realLane);
            case INTEGER -> broadcast(code, integer, integerLane);
            case CONDITION -> code.invokeinterface(SPECIES, "maskAll", MethodTypeDesc.of(MASK, CD_boolean));
        }
        int made = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(made);
        return made;
    }

    private static void broadcast(CodeBuilder code, ClassDesc type, ClassDesc lane) {
        code.invokestatic(type, "broadcast", MethodTypeDesc.of(type, SPECIES, lane));
    }

    private CodeBuilder realSpecies(CodeBuilder code) {
        return code.getstatic(LANES, single ? "FLOATS" : "DOUBLES", SPECIES);
    }

    private CodeBuilder integerSpecies(CodeBuilder code) {
        return code.getstatic(LANES, single ? "INTS" : "LONGS", SPECIES);
    }

    private static void order(CodeBuilder code) {
        code.getstatic(LANES, "ORDER", ORDER);
    }

    @Override
    public void apply(CodeBuilder code, Value value, int[] locals) {
        int[] operands = value.operands().stream()
                .mapToInt(operand -> locals[operand.number()])
                .toArray();
        switch (value.operator()) {
            case ADD -> binary(code, real, "add", operands);
            case SUBTRACT -> binary(code, real, "sub", operands);
            case MULTIPLY -> binary(code, real, "mul", operands);
            case DIVIDE -> binary(code, real, "div", operands);
            case MIN -> binary(code, real, "min", operands);
            case MAX -> binary(code, real, "max", operands);
            case NEGATE -> unary(code, real, "neg", real, operands);
            case ABS -> unary(code, real, "abs", real, operands);
            case SQRT -> unary(code, real, "sqrt", real, operands);
            case LESS -> compare(code, "LT", operands);
            case AT_MOST -> compare(code, "LE", operands);
            case EQUAL -> compare(code, "EQ", operands);
            case AND ->
                code.aload(operands[0]).aload(operands[1]).invokevirtual(MASK, "and", MethodTypeDesc.of(MASK, MASK));
            case OR ->
                code.aload(operands[0]).aload(operands[1]).invokevirtual(MASK, "or", MethodTypeDesc.of(MASK, MASK));
            case NOT -> unary(code, MASK, "not", MASK, operands);
            case SELECT ->
                code.aload(operands[2])
                        .aload(operands[1])
                        .aload(operands[0])
                        .invokevirtual(real, "blend", MethodTypeDesc.of(real, VECTOR, MASK));
            case BITS -> unary(code, real, single ? "reinterpretAsInts" : "reinterpretAsLongs", integer, operands);
            case FROM_BITS ->
                unary(code, integer, single ? "reinterpretAsFloats" : "reinterpretAsDoubles", real, operands);
            case ADD_INTEGERS -> binary(code, integer, "add", operands);
            case SUBTRACT_INTEGERS -> binary(code, integer, "sub", operands);
            case AND_BITS -> binary(code, integer, "and", operands);
            case OR_BITS -> binary(code, integer, "or", operands);
            case SHIFT_LEFT ->
                shift(code, "LSHL", operands[0], value.operands().get(1).integer());
            case SHIFT_RIGHT ->
                shift(code, "ASHR", operands[0], value.operands().get(1).integer());
            case INPUT, CONSTANT, PARAMETER, INDEX, INTEGER -> throw Scalars.noOperation(value);
        }
    }

    private static void unary(CodeBuilder code, ClassDesc owner, String name, ClassDesc made, int... operands) {
        code.aload(operands[0]).invokevirtual(owner, name, MethodTypeDesc.of(made));
    }

    private static void binary(CodeBuilder code, ClassDesc owner, String name, int... operands) {
        code.aload(operands[0]).aload(operands[1]).invokevirtual(owner, name, MethodTypeDesc.of(owner, VECTOR));
    }

    private void compare(CodeBuilder code, String operator, int... operands) {
        ClassDesc comparison = OPERATORS.nested("Comparison");
        code.aload(operands[0]).getstatic(OPERATORS, operator, comparison).aload(operands[1]);
        code.invokevirtual(real, "compare", MethodTypeDesc.of(MASK, comparison, VECTOR));
    }

    private void shift(CodeBuilder code, String operator, int operand, long count) {
        ClassDesc binary = OPERATORS.nested("Binary");
        code.aload(operand).getstatic(OPERATORS, operator, binary);
        scalars.integer(code, count);
        code.invokevirtual(integer, "lanewise", MethodTypeDesc.of(integer, binary, integerLane));
    }
}

package dev.jacquard.expressions.codegen;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import dev.jacquard.expressions.loop.Value;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** One number for each value: a double or float, a long or int, and 0 or 1 for a condition. */
final class Scalars implements Representation {
    static final ClassDesc SEGMENT = ClassDesc.of("java.lang.foreign.MemorySegment");
    private static final ClassDesc LAYOUTS = ClassDesc.of("java.lang.foreign.ValueLayout");
    private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");

    private final boolean single;
    private final TypeKind real;
    private final TypeKind integer;
    private final ClassDesc realType;
    private final ClassDesc integerType;
    private final ClassDesc layoutType;
    private final String layout;

    /** Represents reals as floats if {@code single}, else as doubles. */
    Scalars(boolean single) {
        this.single = single;
        real = single ? TypeKind.FLOAT : TypeKind.DOUBLE;
        integer = single ? TypeKind.INT : TypeKind.LONG;
        realType = single ? CD_float : CD_double;
        integerType = single ? CD_int : CD_long;
        layoutType = LAYOUTS.nested(single ? "OfFloat" : "OfDouble");
        layout = single ? "JAVA_FLOAT_UNALIGNED" : "JAVA_DOUBLE_UNALIGNED";
    }

    @Override
    public int points() {
        return 1;
    }

    @Override
    public TypeKind local(Value.Kind kind) {
        return switch (kind) {
            case REAL -> real;
            case INTEGER -> integer;
            case CONDITION -> TypeKind.INT;
        };
    }

    @Override
    public void load(CodeBuilder code, int segment, Place place) {
        code.aload(segment).getstatic(LAYOUTS, layout, layoutType);
        place.push(code);
        code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(realType, layoutType, CD_long));
    }

    @Override
    public void store(CodeBuilder code, int segment, Place place, int value) {
        code.aload(segment).getstatic(LAYOUTS, layout, layoutType);
        place.push(code);
        code.loadLocal(real, value);
        MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_void, layoutType, CD_long, realType);
        code.invokeinterface(SEGMENT, "set", type);
    }

    @Override
    public void index(CodeBuilder code, int index) {
        code.iload(index).conversion(TypeKind.INT, real);
    }

    @Override
    public int spread(CodeBuilder code, Value.Kind kind, int scalar) {
        return scalar;
    }

    /** Rounds the double on the stack to a real. */
    void round(CodeBuilder code) {
        code.conversion(TypeKind.DOUBLE, real);
    }

    /** Pushes a number that is a part of the shape. */
    void integer(CodeBuilder code, long number) {
        if (single) {
            code.loadConstant((int) number);
        } else {
            code.loadConstant(number);
        }
    }

    @Override
    public void apply(CodeBuilder code, Value value, int[] locals) {
        switch (value.operator()) {
            case SELECT -> select(code, value, locals);
            case SHIFT_LEFT, SHIFT_RIGHT -> shift(code, value, locals);
            default -> {
                for (Value operand : value.operands()) {
                    code.loadLocal(local(operand.kind()), locals[operand.number()]);
                }
                operate(code, value);
            }
        }
    }

    private void select(CodeBuilder code, Value value, int[] locals) {
        code.iload(locals[value.operands().getFirst().number()]);
        int yes = locals[value.operands().get(1).number()];
        int no = locals[value.operands().get(2).number()];
        code.ifThenElse(Opcode.IFNE, then -> then.loadLocal(real, yes), otherwise -> otherwise.loadLocal(real, no));
    }

    private void shift(CodeBuilder code, Value value, int[] locals) {
        code.loadLocal(integer, locals[value.operands().getFirst().number()]);
        code.loadConstant((int) value.operands().get(1).integer());
        switch (value.operator()) {
            case SHIFT_LEFT -> pick(code::ishl, code::lshl);
            case SHIFT_RIGHT -> pick(code::ishr, code::lshr);
            default -> throw noOperation(value);
        }
    }

    private void operate(CodeBuilder code, Value value) {
        switch (value.operator()) {
            case ADD -> pick(code::fadd, code::dadd);
            case SUBTRACT -> pick(code::fsub, code::dsub);
            case MULTIPLY -> pick(code::fmul, code::dmul);
            case DIVIDE -> pick(code::fdiv, code::ddiv);
            case NEGATE -> pick(code::fneg, code::dneg);
            case ABS -> code.invokestatic(MATH, "abs", MethodTypeDesc.of(realType, realType));
            case SQRT -> root(code);
            case MIN -> code.invokestatic(MATH, "min", MethodTypeDesc.of(realType, realType, realType));
            case MAX -> code.invokestatic(MATH, "max", MethodTypeDesc.of(realType, realType, realType));
            case LESS -> compare(code, Opcode.IFLT);
            case AT_MOST -> compare(code, Opcode.IFLE);
            case EQUAL -> compare(code, Opcode.IFEQ);
            case AND -> code.iand();
            case OR -> code.ior();
            case NOT -> code.iconst_1().ixor();
            case BITS -> bits(code);
            case FROM_BITS -> fromBits(code);
            case ADD_INTEGERS -> pick(code::iadd, code::ladd);
            case SUBTRACT_INTEGERS -> pick(code::isub, code::lsub);
            case AND_BITS -> pick(code::iand, code::land);
            case OR_BITS -> pick(code::ior, code::lor);
            case INPUT, CONSTANT, PARAMETER, INDEX, INTEGER, SELECT, SHIFT_LEFT, SHIFT_RIGHT ->
                throw noOperation(value);
        }
    }

    static IllegalStateException noOperation(Value value) {
        return new IllegalStateException(value.operator() + " is no operation on the stack");
    }

    private void pick(Runnable ofSingle, Runnable ofDouble) {
        (single ? ofSingle : ofDouble).run();
    }

    private void root(CodeBuilder code) {
        code.conversion(real, TypeKind.DOUBLE);
        code.invokestatic(MATH, "sqrt", MethodTypeDesc.of(CD_double, CD_double));
        round(code);
    }

    /** Pushes 1 if the comparison of two reals holds, else 0; of NaN, which compares as greater, none holds. */
    private void compare(CodeBuilder code, Opcode holds) {
        pick(code::fcmpg, code::dcmpg);
        code.ifThenElse(holds, CodeBuilder::iconst_1, CodeBuilder::iconst_0);
    }

    private void bits(CodeBuilder code) {
        String name = single ? "floatToRawIntBits" : "doubleToRawLongBits";
        code.invokestatic(box(), name, MethodTypeDesc.of(integerType, realType));
    }

    private void fromBits(CodeBuilder code) {
        String name = single ? "intBitsToFloat" : "longBitsToDouble";
        code.invokestatic(box(), name, MethodTypeDesc.of(realType, integerType));
    }

    private ClassDesc box() {
        return single ? ConstantDescs.CD_Float : ConstantDescs.CD_Double;
    }
}

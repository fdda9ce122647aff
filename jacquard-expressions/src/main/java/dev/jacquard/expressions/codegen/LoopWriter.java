package dev.jacquard.expressions.codegen;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Element;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * Writes the method that runs a body:
 *
 * <pre>
 *   memory, strides, values that are the same at all points
 *   for z
 *     for y
 *       place of x0 in each row that is read or written, values that are the same along the row
 *       for i from 0 to x1 - x0, a step of {@link Representation#points()} at a time
 *         all other values, each in a local variable; then the results
 * </pre>
 *
 * <p>The variable of the loop along x is an int that begins at 0, its step is constant, and the values that it is added
 * to do not change in the loop: so C2 takes the checks of bounds out of it and needs the fewest instructions for
 * places. Elements lie after the places of rows, never before: of a negative distance C2 makes no part of an address,
 * but a variable more, and there are too few registers. It must not see how far before the point such a place is,
 * either, or it subtracts the one from the other. Confined to one thread, good for one method.
 */
final class LoopWriter {
    private static final ClassDesc BINDING = Binding.class.describeConstable().orElseThrow();
    private static final ClassDesc PLACE =
            Binding.Place.class.describeConstable().orElseThrow();
    private static final ClassDesc LANES = ClassDesc.of("dev.jacquard.expressions.codegen.Lanes");
    private static final ClassDesc RANGE = Range.class.describeConstable().orElseThrow();

    private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
    /** A bound of distances along x, a power of 2: more than the points of a row with the points of a vector. */
    private static final int MOST_DISTANCE = 2 * LaneLoop.MOST_POINTS;

    /** A row of a field, by its distance from the row of the point. */
    private record Row(int field, int dy, int dz) {}

    /**
     * The local variables of a field: its segment, the place in its row 0 of the first element that the range's first
     * point reads, and its strides.
     */
    private record Field(int segment, int start, int strideY, int strideZ) {}

    private final LoopBody body;
    private final CodeBuilder code;
    private final Representation form;
    private final Scalars scalars;
    private final Level[] levels;
    private final int fields;
    private final int parameters;
    private final int range;
    private final int bytes;
    private final boolean checks;
    /** The variable of the first index along x; written by {@link #write}. */
    private int x0;
    /** The variables of the values that are one for many points. */
    private final int[] single;
    /** The variables of the values as {@code form} has them. */
    private final int[] formed;

    private final Map<Integer, Field> memory = new LinkedHashMap<>();
    /** The variables of the distances of rows from the rows of the point, in bytes; only of rows that have one. */
    private final Map<Row, Integer> distances = new LinkedHashMap<>();
    /** The variables of the places of the rows. */
    private final Map<Row, Integer> rows = new HashMap<>();

    /** @param checks true if each access is checked, false if the ranges are as {@link LaneLoop} documents */
    LoopWriter(LoopBody body, CodeBuilder code, Representation form, Scalars scalars, int bytes, boolean checks) {
        this.checks = checks;
        this.body = body;
        this.code = code;
        this.form = form;
        this.scalars = scalars;
        this.bytes = bytes;
        levels = Level.of(body);
        fields = code.parameterSlot(0);
        parameters = code.parameterSlot(1);
        range = code.parameterSlot(2);
        single = new int[levels.length];
        formed = new int[levels.length];
    }

    void write() {
        x0 = bound("x0");
        memory();
        boolean[] spread = spread();
        shared(Level.RUN, spread, 0, 0);
        code.aload(range)
                .invokevirtual(RANGE, "x1", MethodTypeDesc.of(CD_int))
                .iload(x0)
                .isub();
        if (!checks) {
            code.loadConstant(MOST_DISTANCE - 1).iand(); // is smaller
        }
        int length = variable(TypeKind.INT);
        int y0 = bound("y0");
        int y1 = bound("y1");
        int z0 = bound("z0");
        int z1 = bound("z1");
        code.iload(z0);
        loop(z1, 1, z -> {
            code.iload(y0);
            loop(y1, 1, y -> {
                rows(y, z);
                shared(Level.ROW, spread, y, z);
                code.iconst_0();
                loop(length, form.points(), this::point);
            });
        });
        code.return_();
    }

    /** Writes {@code for (int i = from; i < to; i += step)}, where {@code from} is on the stack. */
    private void loop(int to, int step, IntConsumer inner) {
        int index = variable(TypeKind.INT);
        var begin = code.newBoundLabel();
        var end = code.newLabel();
        code.iload(index).iload(to).if_icmpge(end);
        inner.accept(index);
        code.iinc(index, step).goto_(begin).labelBinding(end);
    }

    private int bound(String name) {
        code.aload(range).invokevirtual(RANGE, name, MethodTypeDesc.of(CD_int));
        return variable(TypeKind.INT);
    }

    /** Pops the value on the stack into a new variable. */
    private int variable(TypeKind kind) {
        int made = code.allocateLocal(kind);
        code.storeLocal(kind, made);
        return made;
    }

    /** Loads the segments and strides of the fields, and computes the distances of the rows. */
    private void memory() {
        for (Value value : body.values()) {
            switch (value.operator()) {
                case INPUT -> {
                    Element element = value.element();
                    field(element.input());
                    row(new Row(element.input(), element.dy(), element.dz()));
                }
                default -> {}
            }
        }
        for (int result = 0; result < body.results().size(); result++) {
            field(body.inputs() + result);
        }
    }

    private void field(int number) {
        if (!memory.containsKey(number)) {
            code.aload(fields).loadConstant(number);
            code.invokevirtual(BINDING, "place", MethodTypeDesc.of(PLACE, CD_int));
            int place = variable(TypeKind.REFERENCE);
            if (checks) {
                code.aload(place).invokevirtual(PLACE, "segment", MethodTypeDesc.of(Scalars.SEGMENT));
            } else {
                code.getstatic(LANES, "ALL", Scalars.SEGMENT);
            }
            int segment = variable(TypeKind.REFERENCE);
            ofPlace(place, "start")
                    .iload(x0)
                    .i2l()
                    .loadConstant((long) bytes)
                    .lmul()
                    .ladd();
            if (number < body.inputs() && body.first(number) < 0) {
                ofField(number, "first").ladd();
            }
            if (!checks) {
                ofField(number, "address").ladd();
            }
            int start = variable(TypeKind.LONG);
            ofPlace(place, "strideY");
            int strideY = variable(TypeKind.LONG);
            ofPlace(place, "strideZ");
            int strideZ = variable(TypeKind.LONG);
            memory.put(number, new Field(segment, start, strideY, strideZ));
        }
    }

    private CodeBuilder ofField(int number, String name) {
        return code.aload(fields).loadConstant(number).invokevirtual(BINDING, name, MethodTypeDesc.of(CD_long, CD_int));
    }

    private CodeBuilder ofPlace(int place, String name) {
        return code.aload(place).invokevirtual(PLACE, name, MethodTypeDesc.of(CD_long));
    }

    private void row(Row row) {
        if (!distances.containsKey(row) && (row.dy() != 0 || row.dz() != 0)) {
            Field field = bound(row.field());
            code.loadConstant((long) row.dy()).lload(field.strideY()).lmul();
            code.loadConstant((long) row.dz()).lload(field.strideZ()).lmul().ladd();
            distances.put(row, variable(TypeKind.LONG));
        }
    }

    /**
     * Computes the places of the rows that belong to the points with indexes {@code y} and {@code z}.
     *
     * <p>Calls a method of each segment, too, for C2 to learn the segment's class: this call has its own profile,
     * whereas the profiles inside the accesses are shared by the whole program, and where a program has segments on and
     * off the heap, the accesses would be calls. Loops without checks know the class of the segment of all memory.
     */
    private void rows(int y, int z) {
        memory.forEach((number, field) -> {
            if (checks) {
                code.aload(field.segment())
                        .invokeinterface(Scalars.SEGMENT, "isNative", MethodTypeDesc.of(CD_boolean))
                        .pop();
            }
            code.lload(field.start());
            code.iload(y).i2l().lload(field.strideY()).lmul().ladd();
            code.iload(z).i2l().lload(field.strideZ()).lmul().ladd();
            address();
            rows.put(new Row(number, 0, 0), variable(TypeKind.LONG));
        });
        distances.forEach((row, distance) -> {
            code.lload(place(new Row(row.field(), 0, 0))).lload(distance).ladd();
            address();
            rows.put(row, variable(TypeKind.LONG));
        });
    }

    /** Returns, by number, the values that are one for many points and needed at each of them. */
    private boolean[] spread() {
        boolean[] spread = new boolean[levels.length];
        for (Value value : body.values()) {
            if (levels[value.number()] == Level.POINT) {
                int operands = Level.isShift(value) ? 1 : value.operands().size();
                value.operands().subList(0, operands).forEach(operand -> spread[operand.number()] = true);
            }
        }
        body.results().forEach(result -> spread[result.number()] = true);
        return spread;
    }

    /** Computes the values of a level that are one for many points. */
    private void shared(Level level, boolean[] spread, int y, int z) {
        for (Value value : body.values()) {
            int number = value.number();
            if (levels[number] == level) {
                shared(value, y, z);
                single[number] = variable(scalars.local(value.kind()));
                if (spread[number]) {
                    formed[number] = form.spread(code, value.kind(), single[number]);
                }
            }
        }
    }

    private void shared(Value value, int y, int z) {
        switch (value.operator()) {
            case CONSTANT -> {
                code.aload(fields).loadConstant(value.slot());
                code.invokevirtual(BINDING, "constant", MethodTypeDesc.of(CD_double, CD_int));
                scalars.round(code);
            }
            case PARAMETER -> {
                code.aload(parameters).loadConstant(value.slot()).daload();
                scalars.round(code);
            }
            case INTEGER -> scalars.integer(code, value.integer());
            case INDEX -> scalars.index(code, value.integer() == 1 ? y : z);
            default -> scalars.apply(code, value, single);
        }
    }

    /** Computes the values of the points from the distance to x0 in the variable {@code i}, and writes the results. */
    private void point(int i) {
        code.iload(i);
        distance();
        code.i2l().loadConstant((long) bytes).lmul();
        int offset = variable(TypeKind.LONG);
        for (Value value : body.values()) {
            if (levels[value.number()] == Level.POINT) {
                switch (value.operator()) {
                    case INPUT -> load(value.element(), offset);
                    case INDEX -> form.index(code, x(i));
                    default -> form.apply(code, value, formed);
                }
                formed[value.number()] = variable(form.local(value.kind()));
            }
        }
        for (int result = 0; result < body.results().size(); result++) {
            int output = body.inputs() + result;
            var place = new Representation.Place(place(new Row(output, 0, 0)), offset, 0);
            form.store(
                    code,
                    bound(output).segment(),
                    place,
                    formed[body.results().get(result).number()]);
        }
    }

    /**
     * Bounds the distance along x, an int on the stack, which {@link LaneLoop} keeps smaller: so its bytes are an int,
     * as C2 wants them to make them a part of an address. C2 knows the bound of the loop, too, and drops the check.
     */
    private void distance() {
        if (!checks) {
            code.loadConstant(MOST_DISTANCE)
                    .invokestatic(OBJECTS, "checkIndex", MethodTypeDesc.of(CD_int, CD_int, CD_int));
        }
    }

    /** Bounds the address on the stack: so C2 knows that all memory extends beyond it, and checks nothing. */
    private void address() {
        if (!checks) {
            code.loadConstant(Long.MAX_VALUE >> 1).land();
        }
    }

    private int x(int i) {
        code.iload(x0).iload(i).iadd();
        return variable(TypeKind.INT);
    }

    private void load(Element element, int offset) {
        int row = place(new Row(element.input(), element.dy(), element.dz()));
        int distance = element.dx() - body.first(element.input());
        var place = new Representation.Place(row, offset, distance * bytes);
        form.load(code, bound(element.input()).segment(), place);
    }

    private Field bound(int number) {
        return Objects.requireNonNull(memory.get(number));
    }

    private int place(Row row) {
        return Objects.requireNonNull(rows.get(row));
    }
}

package dev.jacquard.expressions.codegen;

import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Optional;

/** The class of a loop, as bytes. Immutable. */
final class LoopClass {
    /** The JVM's {@code HugeMethodLimit}: a longer method is interpreted for ever. */
    static final int MOST_BYTES = 8_000;

    /** A bound on the parts of a body: more make a method longer than {@link #MOST_BYTES}, fewer less than 65,536. */
    private static final int MOST_PARTS = 1_500;

    private static final ClassDesc THIS = ClassDesc.of("dev.jacquard.expressions.codegen.GeneratedLoop");
    private static final ClassDesc LOOP = Loop.class.describeConstable().orElseThrow();
    private static final ClassDesc LANE_LOOP =
            LaneLoop.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc RUN = MethodTypeDesc.of(
            ConstantDescs.CD_void,
            Binding.class.describeConstable().orElseThrow(),
            ConstantDescs.CD_double.arrayType(),
            Range.class.describeConstable().orElseThrow());

    private final byte[] bytes;

    private LoopClass(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the class of a body's loop; nothing if the JVM would not compile its method, since it is too long.
     *
     * @param lanes true if it is in lanes; without checks inside where it can be
     */
    static Optional<LoopClass> of(LoopBody body, boolean lanes) {
        return of(body, lanes, !lanes || Lanes.ALL == null);
    }

    /** @param checks true if each access is checked, as accesses of plain loops always are */
    static Optional<LoopClass> of(LoopBody body, boolean lanes, boolean checks) {
        if (parts(body) > MOST_PARTS) {
            return Optional.empty();
        }
        byte[] bytes = write(body, lanes, checks);
        return methodBytes(bytes) > MOST_BYTES ? Optional.empty() : Optional.of(new LoopClass(bytes));
    }

    /** Returns a number of parts below which one of them would be too long. */
    static int fewestParts(LoopBody body) {
        return Math.max(2, body.values().size() / MOST_PARTS);
    }

    /**
     * Returns the number of values, rows and fields, each of which takes 7 to 40 bytes, a field up to three times that.
     */
    private static long parts(LoopBody body) {
        List<Element> elements = body.values().stream()
                .filter(value -> value.operator() == Operator.INPUT)
                .map(Value::element)
                .toList();
        long fields = elements.stream().map(Element::input).distinct().count()
                + body.results().size();
        long rows = elements.stream()
                .map(element -> new Element(element.input(), 0, element.dy(), element.dz()))
                .distinct()
                .count();
        return body.values().size() + rows + 3 * fields;
    }

    private static byte[] write(LoopBody body, boolean lanes, boolean checks) {
        ClassDesc parent = checks ? LOOP : LANE_LOOP;
        String method = checks ? "run" : "compute";
        return ClassFile.of()
                .build(
                        THIS,
                        type -> type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                                .withSuperclass(parent)
                                .withMethodBody(
                                        INIT_NAME,
                                        MTD_void,
                                        0,
                                        code -> code.aload(0)
                                                .invokespecial(parent, INIT_NAME, MTD_void)
                                                .return_())
                                .withMethodBody(
                                        method, RUN, ClassFile.ACC_PUBLIC, code -> write(body, lanes, checks, code)));
    }

    private static void write(LoopBody body, boolean lanes, boolean checks, CodeBuilder code) {
        boolean single = body.type() == DataType.FLOAT32;
        Scalars scalars = new Scalars(single);
        Representation form = lanes ? new Vectors(single, Lanes.count(single)) : scalars;
        new LoopWriter(body, code, form, scalars, single ? Float.BYTES : Double.BYTES, checks).write();
    }

    private static int methodBytes(byte[] bytes) {
        return ClassFile.of().parse(bytes).methods().stream()
                .flatMap(method -> method.findAttribute(Attributes.code()).stream())
                .mapToInt(code -> code.codeLength())
                .max()
                .orElse(0);
    }

    /** Returns a loop, the class of which is a hidden one. */
    Loop load() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(bytes, true);
            return (Loop) lookup.lookupClass().getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a generated loop cannot be loaded", e);
        }
    }
}

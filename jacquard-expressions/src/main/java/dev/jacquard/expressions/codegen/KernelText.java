package dev.jacquard.expressions.codegen;

import static dev.jacquard.expressions.codegen.ValueText.call;
import static dev.jacquard.expressions.codegen.ValueText.infix;
import static dev.jacquard.expressions.codegen.ValueText.name;

import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.KernelSource.Language;
import java.util.Locale;

/**
 * The text of a kernel that computes a body at one point per work item. Both languages have the same statements; they
 * differ in the words for types, for the place of an item and for the bits of a number. Confined to one thread.
 *
 * <p>The parameters: the range as six ints, the memory of each field, three longs for each layout (start, and strides
 * along y and z, in elements), the constants, the parameters of the body. So bodies of one shape share a text.
 *
 * <p>Least and greatest are written out, since the functions of the languages leave open their effect on a NaN and on
 * zeros. Integers are added and moved to the left without a sign, since a sum that is too large has no defined value
 * with one.
 */
final class KernelText {
    /** The name of the kernel's function. */
    static final String FUNCTION = "loop";

    private static final String[] AXES = {"x", "y", "z"};

    private final LoopBody body;
    private final int maxima;
    private final int[] layouts;
    private final boolean literals;
    private final boolean cuda;
    private final boolean single;
    private final String real;
    private final String integer;
    private final String wide;
    private final StringBuilder text = new StringBuilder();

    /**
     * Begins a text.
     *
     * @param maxima the last results, which are no fields
     * @param layouts for each field, inputs first, the number of its layout
     * @param literals true if constants are written into the text, and are no parameters
     */
    KernelText(LoopBody body, Language language, int maxima, int[] layouts, boolean literals) {
        this.body = body;
        this.maxima = maxima;
        this.layouts = layouts;
        this.literals = literals;
        cuda = language == Language.CUDA;
        single = body.type() == DataType.FLOAT32;
        real = single ? "float" : "double";
        wide = cuda ? "long long" : "long";
        integer = single ? "int" : wide;
    }

    String text() {
        head();
        parameters();
        for (int axis = 0; axis < AXES.length; axis++) {
            String name = AXES[axis];
            line("const %s %s = %s0 + %s;".formatted(wide, name, name, item(axis)));
        }
        line("if (x >= x1 || y >= y1 || z >= z1) {");
        line("    return;");
        line("}");
        for (int layout = 0; layout < layoutCount(layouts); layout++) {
            line(String.format(
                    Locale.ROOT,
                    "const %1$s at%2$d = start%2$d + y * strideY%2$d + z * strideZ%2$d + x;",
                    wide,
                    layout));
        }
        for (Value value : body.values()) {
            line("const " + type(value.kind()) + " " + name(value) + " = " + expression(value) + ";");
        }
        int fields = body.results().size() - maxima;
        for (int result = 0; result < fields; result++) {
            int field = body.inputs() + result;
            line("f" + field + "[at" + layouts[field] + "] = "
                    + name(body.results().get(result)) + ";");
        }
        for (int i = 0; i < maxima; i++) {
            maximum(i, name(body.results().get(fields + i)));
        }
        return text.append("}\n").toString();
    }

    /** Returns the number of layouts. */
    static int layoutCount(int[] layouts) {
        int count = 0;
        for (int layout : layouts) {
            count = Math.max(count, layout + 1);
        }
        return count;
    }

    private void head() {
        if (!cuda) {
            text.append("#pragma OPENCL FP_CONTRACT OFF\n");
            text.append(single ? "" : "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
        }
        choice(Operator.MIN, "least", "<", "|");
        choice(Operator.MAX, "greatest", ">", "&");
        text.append(cuda ? "extern \"C\" __global__ void " : "__kernel void ").append(FUNCTION);
    }

    /** Defines the choice of one of two numbers as Java makes it, if the body makes it. */
    private void choice(Operator operator, String name, String comparison, String zeros) {
        if (body.values().stream().anyMatch(value -> value.operator() == operator)) {
            text.append("""
                    static %1$s%2$s %3$s(%2$s a, %2$s b) {
                        return a != a ? a : b != b ? b : a %4$s b ? a : b %4$s a ? b : %5$s;
                    }
                    """.formatted(
                            cuda ? "__device__ " : "",
                            real,
                            name,
                            comparison,
                            fromBits(bits("a") + " " + zeros + " " + bits("b"))));
        }
    }

    private void parameters() {
        text.append("(int x0, int x1, int y0, int y1, int z0, int z1");
        for (int field = 0; field < layouts.length; field++) {
            text.append(",\n        ")
                    .append(cuda ? "" : "__global ")
                    .append(field < body.inputs() ? "const " : "")
                    .append(real)
                    .append(" *f")
                    .append(field);
        }
        if (maxima > 0) {
            text.append(",\n        volatile ").append(cuda ? "" : "__global ").append("unsigned int *maxima");
        }
        for (int layout = 0; layout < layoutCount(layouts); layout++) {
            text.append(String.format(
                    Locale.ROOT, ",\n        %1$s start%2$d, %1$s strideY%2$d, %1$s strideZ%2$d", wide, layout));
        }
        for (int slot = 0; !literals && slot < body.constants().length; slot++) {
            text.append(", ").append(real).append(" c").append(slot);
        }
        for (int slot = 0; slot < body.parameters().size(); slot++) {
            text.append(", ").append(real).append(" p").append(slot);
        }
        text.append(") {\n");
    }

    /**
     * Keeps the greater of a number and the numbers of all other points: as integers, numbers from 0 on have the same
     * order. Few of the items find theirs greater, so few wait for each other.
     */
    private void maximum(int number, String value) {
        String most = single ? bits(value) : bits(value) + " >> 32";
        String place = "maxima + " + (single ? number : 2 * number + 1);
        line("const unsigned int m" + number + " = (unsigned int) (" + most + ") & 0x7fffffffu;");
        line("if (m" + number + " > *(" + place + ")) {");
        line("    " + (cuda ? "atomicMax((unsigned int *) (" + place + ")" : "atomic_max(" + place) + ", m" + number
                + ");");
        line("}");
    }

    private String item(int axis) {
        return cuda
                ? "blockIdx.%1$s * (long long) blockDim.%1$s + threadIdx.%1$s".formatted(AXES[axis])
                : "(long) get_global_id(" + axis + ")";
    }

    private void line(String line) {
        text.append("    ").append(line).append('\n');
    }

    private String type(Value.Kind kind) {
        return switch (kind) {
            case REAL -> real;
            case INTEGER -> integer;
            case CONDITION -> "int";
        };
    }

    private String expression(Value value) {
        return switch (value.operator()) {
            case INPUT -> element(value.element());
            case CONSTANT -> literals ? fromBits(number(bits(body.constants()[value.slot()]))) : "c" + value.slot();
            case PARAMETER -> "p" + value.slot();
            case INDEX -> "(" + real + ") " + AXES[(int) value.integer()];
            case INTEGER -> number(value.integer());
            case ADD -> infix(value, "+");
            case SUBTRACT -> infix(value, "-");
            case MULTIPLY -> infix(value, "*");
            case DIVIDE -> infix(value, "/");
            case NEGATE -> "-" + name(value, 0);
            case ABS -> call(value, cuda && single ? "fabsf" : "fabs");
            case SQRT -> call(value, cuda && single ? "sqrtf" : "sqrt");
            case MIN -> call(value, "least");
            case MAX -> call(value, "greatest");
            case LESS -> infix(value, "<");
            case AT_MOST -> infix(value, "<=");
            case EQUAL -> infix(value, "==");
            case AND, AND_BITS -> infix(value, "&");
            case OR, OR_BITS -> infix(value, "|");
            case NOT -> "!" + name(value, 0);
            case SELECT -> name(value, 0) + " ? " + name(value, 1) + " : " + name(value, 2);
            case BITS -> bits(name(value, 0));
            case FROM_BITS -> fromBits(name(value, 0));
            case ADD_INTEGERS -> unsigned(value, "+ " + unsigned(name(value, 1)));
            case SUBTRACT_INTEGERS -> unsigned(value, "- " + unsigned(name(value, 1)));
            case SHIFT_LEFT -> unsigned(value, "<< " + distance(value));
            case SHIFT_RIGHT -> name(value, 0) + " >> " + distance(value);
        };
    }

    private String element(Element element) {
        int layout = layouts[element.input()];
        return "f" + element.input() + "[at" + layout
                + distance(element.dx(), "")
                + distance(element.dy(), " * strideY" + layout)
                + distance(element.dz(), " * strideZ" + layout)
                + "]";
    }

    private static String distance(int distance, String stride) {
        return distance == 0 ? "" : (distance < 0 ? " - " : " + ") + Math.abs(distance) + stride;
    }

    private long bits(double constant) {
        return single ? Float.floatToRawIntBits((float) constant) : Double.doubleToRawLongBits(constant);
    }

    private String bits(String number) {
        return (cuda ? single ? "__float_as_int" : "__double_as_longlong" : single ? "as_int" : "as_long") + "("
                + number + ")";
    }

    private String fromBits(String bits) {
        return (cuda ? single ? "__int_as_float" : "__longlong_as_double" : single ? "as_float" : "as_double") + "("
                + bits + ")";
    }

    /** Returns an integer by its bits, since the least one has no literal. */
    private String number(long value) {
        return "(" + integer + ") 0x"
                + (single ? Integer.toHexString((int) value) + "u" : Long.toHexString(value) + (cuda ? "ull" : "ul"));
    }

    private String unsigned(String name) {
        return "(unsigned " + integer + ") " + name;
    }

    private String unsigned(Value value, String rest) {
        return "(" + integer + ") (" + unsigned(name(value, 0)) + " " + rest + ")";
    }

    private long distance(Value value) {
        return value.operands().get(1).integer() & (single ? Integer.SIZE - 1 : Long.SIZE - 1);
    }
}

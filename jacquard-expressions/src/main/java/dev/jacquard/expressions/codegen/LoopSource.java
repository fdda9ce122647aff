package dev.jacquard.expressions.codegen;

import static dev.jacquard.expressions.codegen.ValueText.call;
import static dev.jacquard.expressions.codegen.ValueText.infix;
import static dev.jacquard.expressions.codegen.ValueText.name;

import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Element;
import dev.jacquard.memory.data.DataType;

/** The loop of a body as a text for people, which resembles Java. Confined to one thread. */
final class LoopSource {
    private static final String[] AXES = {"x", "y", "z"};

    private final LoopBody body;
    private final boolean single;
    private final Level[] levels;
    private final StringBuilder text = new StringBuilder();

    LoopSource(LoopBody body) {
        this.body = body;
        single = body.type() == DataType.FLOAT32;
        levels = Level.of(body);
    }

    String text() {
        values(Level.RUN, 0);
        loop("z", 0);
        loop("y", 1);
        values(Level.ROW, 2);
        loop("x", 2);
        values(Level.POINT, 3);
        for (int result = 0; result < body.results().size(); result++) {
            line(3, "out" + result + "[x, y, z] = " + name(body.results().get(result)) + ";");
        }
        for (int depth = 2; depth >= 0; depth--) {
            line(depth, "}");
        }
        return text.toString();
    }

    private void loop(String axis, int depth) {
        line(depth, "for (int " + axis + " = " + axis + "0; " + axis + " < " + axis + "1; " + axis + "++) {");
    }

    private void values(Level level, int depth) {
        for (Value value : body.values()) {
            if (levels[value.number()] == level) {
                line(depth, type(value.kind()) + " " + name(value) + " = " + expression(value) + ";");
            }
        }
    }

    private void line(int depth, String line) {
        text.append("    ".repeat(depth)).append(line).append('\n');
    }

    private String type(Value.Kind kind) {
        return switch (kind) {
            case REAL -> single ? "float" : "double";
            case INTEGER -> single ? "int" : "long";
            case CONDITION -> "boolean";
        };
    }

    private String expression(Value value) {
        return switch (value.operator()) {
            case INPUT -> element(value.element());
            case CONSTANT -> body.constants()[value.slot()] + (single ? "f" : "");
            case PARAMETER -> "parameter(\"" + body.parameters().get(value.slot()) + "\")";
            case INDEX -> AXES[(int) value.integer()];
            case INTEGER -> value.integer() + (single ? "" : "L");
            case ADD, ADD_INTEGERS -> infix(value, "+");
            case SUBTRACT, SUBTRACT_INTEGERS -> infix(value, "-");
            case MULTIPLY -> infix(value, "*");
            case DIVIDE -> infix(value, "/");
            case NEGATE -> "-" + name(value, 0);
            case ABS -> call(value, "abs");
            case SQRT -> call(value, "sqrt");
            case MIN -> call(value, "min");
            case MAX -> call(value, "max");
            case LESS -> infix(value, "<");
            case AT_MOST -> infix(value, "<=");
            case EQUAL -> infix(value, "==");
            case AND, AND_BITS -> infix(value, "&");
            case OR, OR_BITS -> infix(value, "|");
            case NOT -> "!" + name(value, 0);
            case SELECT -> name(value, 0) + " ? " + name(value, 1) + " : " + name(value, 2);
            case BITS -> call(value, single ? "floatToRawIntBits" : "doubleToRawLongBits");
            case FROM_BITS -> call(value, single ? "intBitsToFloat" : "longBitsToDouble");
            case SHIFT_LEFT -> infix(value, "<<");
            case SHIFT_RIGHT -> infix(value, ">>");
        };
    }

    private static String element(Element element) {
        return "in" + element.input() + "[" + at("x", element.dx()) + ", " + at("y", element.dy()) + ", "
                + at("z", element.dz()) + "]";
    }

    private static String at(String axis, int distance) {
        return distance == 0 ? axis : axis + (distance < 0 ? " - " : " + ") + Math.abs(distance);
    }
}

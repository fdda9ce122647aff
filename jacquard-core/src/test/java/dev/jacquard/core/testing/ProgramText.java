package dev.jacquard.core.testing;

import java.util.List;
import java.util.stream.Collectors;

/** A program as Java, to be pasted into a test that has a session, a graph, and {@code Result<?>} variables by the tasks' names. */
final class ProgramText {
    private final StringBuilder text = new StringBuilder();

    ProgramText(Program program) {
        for (int i = 0; i < program.fields().size(); i++) {
            field(i, program.fields().get(i));
        }
        int number = 0;
        for (List<Line> lines : program.submitters()) {
            if (program.submitters().size() > 1) {
                text.append("// thread ").append(number++).append('\n');
            }
            lines.forEach(line -> line(line, "graph", ""));
        }
    }

    private void field(int number, Field field) {
        text.append("Resource f").append(number).append(" = session.");
        if (field.parent() >= 0) {
            text.append("resource(\"f").append(number).append("\", f").append(field.parent());
        } else {
            text.append(field.unordered() ? "unordered" : "resource")
                    .append("(\"f")
                    .append(number)
                    .append('"');
        }
        text.append("); // ")
                .append(field.rows())
                .append(" x ")
                .append(field.columns())
                .append('\n');
    }

    private void line(Line line, String where, String indent) {
        String name = "t" + line.id();
        text.append(indent).append("Result<?> ").append(name).append(" = ").append(where);
        text.append(".task(\"").append(name).append("\")");
        line.touches().forEach(touch -> text.append(".accesses(").append(touch).append(')'));
        Line.Order order = line.order();
        if (!order.after().isEmpty()) {
            text.append(order.after().stream().map(id -> "t" + id).collect(Collectors.joining(", ", ".after(", ")")));
        }
        order.tags().forEach(tag -> text.append(".tag(\"").append(tag).append("\")"));
        order.afterTags().forEach(tag -> text.append(".afterTag(\"").append(tag).append("\")"));
        text.append(order.synchronizing() ? ".flag(Flag.SYNCHRONIZING)" : "");
        text.append(order.main() ? ".flag(Flag.MAIN_THREAD)" : "");
        text.append(line.isAdjustable() ? ".adjustable()" : "");
        body(line, indent);
        line.pending()
                .demotions()
                .forEach(to -> text.append(indent)
                        .append(name)
                        .append(".tryDemote(")
                        .append(to)
                        .append(");\n"));
        if (!line.pending().inside().isEmpty()) {
            block(name + ".tryRefine", line.pending().inside(), line.id(), indent);
        }
    }

    private void body(Line line, String indent) {
        text.append(line.isAsynchronous() ? ".start(c" : ".run(c")
                .append(line.id())
                .append(" -> {");
        String deeper = indent + "    ";
        List<Step> steps = line.body().steps();
        if (!steps.isEmpty()) {
            text.append('\n');
        }
        String context = "c" + line.id();
        for (Step step : steps) {
            switch (step) {
                case Step.Demote demote ->
                    text.append(deeper)
                            .append(context)
                            .append(".demote(")
                            .append(demote.to())
                            .append(");\n");
                case Step.Refine refine -> block(context + ".refine", refine.lines(), line.id(), deeper);
                case Step.Submit submit -> line(submit.line(), "graph", deeper);
                case Step.Afterwards _ -> text.append(deeper).append(context).append(".afterwards(c -> {});\n");
            }
        }
        text.append(steps.isEmpty() ? "" : indent);
        text.append(line.body().fails() ? " throw new Exception(\"planned\"); });\n" : "});\n");
    }

    private void block(String call, List<Line> lines, int id, String indent) {
        text.append(indent).append(call).append("(sub").append(id).append(" -> {\n");
        lines.forEach(line -> line(line, "sub" + id, indent + "    "));
        text.append(indent).append("});\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

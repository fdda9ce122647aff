package dev.jacquard.core.compiled;

/** Draws a graph in the language of Graphviz. */
final class Dot {
    private Dot() {}

    static String of(CompiledGraph graph) {
        StringBuilder text =
                new StringBuilder("digraph ").append(quoted(graph.name())).append(" {\n");
        for (int task = 0; task < graph.size(); task++) {
            text.append("  ")
                    .append(task)
                    .append(" [label=")
                    .append(quoted(graph.names().get(task)))
                    .append("];\n");
            for (int later : graph.successors(task)) {
                text.append("  ")
                        .append(task)
                        .append(" -> ")
                        .append(later)
                        .append(graph.carriesFailure(task, later) ? ";\n" : " [style=dashed];\n");
            }
        }
        return text.append("}\n").toString();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}

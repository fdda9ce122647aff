package dev.jacquard.core.compiled;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws a graph in the language of Graphviz, and its inner graphs as boxes of their own. */
final class Dot {
    private final StringBuilder text = new StringBuilder();

    private Dot() {}

    static String of(CompiledGraph graph) {
        Dot dot = new Dot();
        dot.text.append("digraph ").append(quoted(graph.name())).append(" {\n");
        dot.tasks(graph, "");
        return dot.text.append("}\n").toString();
    }

    /** Draws the tasks of {@code graph}. The names of their nodes begin with {@code prefix}. */
    private void tasks(CompiledGraph graph, String prefix) {
        for (int task = 0; task < graph.size(); task++) {
            node(graph, task, prefix);
        }
        for (int task = 0; task < graph.size(); task++) {
            for (int later : graph.successors(task)) {
                edge(prefix + task, prefix + later, style(graph, task, later));
            }
            if (graph.shown().drawn(task).repeats()) {
                again(graph, task, prefix);
            }
        }
    }

    private void node(CompiledGraph graph, int task, String prefix) {
        DrawnTask drawn = graph.shown().drawn(task);
        CompiledGraph inner = drawn.inner();
        String name = graph.names().get(task);
        text.append("  ")
                .append(id(prefix + task))
                .append(" [label=")
                .append(quoted(inner == null ? name : name + ": graph " + inner.name()))
                .append(drawn.chooses() || drawn.repeats() ? ", shape=diamond" : "")
                .append(inner == null ? "" : ", shape=box")
                .append("];\n");
        if (inner != null) {
            text.append("  subgraph ")
                    .append(quoted("cluster_" + prefix + task))
                    .append(" { label=")
                    .append(quoted(inner.name()))
                    .append(";\n");
            tasks(inner, prefix + task + '.');
            text.append("  }\n");
        }
    }

    private static String style(CompiledGraph graph, int task, int later) {
        Integer branch = graph.shown().drawn(later).chosenBy().get(task);
        String style = graph.carriesFailure(task, later) ? "" : "style=dashed";
        if (branch != null) {
            style += (style.isEmpty() ? "" : ", ") + "label=" + quoted("branch " + branch);
        }
        return style;
    }

    /** Draws edges from {@code decider} back to the tasks that wait for no other task. */
    private void again(CompiledGraph graph, int decider, String prefix) {
        boolean[] waits = new boolean[graph.size()];
        for (int task = 0; task < graph.size(); task++) {
            for (int later : graph.successors(task)) {
                waits[later] = true;
            }
        }
        for (int task = 0; task < graph.size(); task++) {
            if (!waits[task]) {
                edge(prefix + decider, prefix + task, "style=dotted, constraint=false, label=" + quoted("again"));
            }
        }
    }

    private void edge(String from, String to, String style) {
        text.append("  ")
                .append(id(from))
                .append(" -> ")
                .append(id(to))
                .append(style.isEmpty() ? "" : " [" + style + ']')
                .append(";\n");
    }

    private static String id(String node) {
        return node.indexOf('.') < 0 ? node : quoted(node);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /**
     * The properties of a task that drawings show.
     *
     * @param inner the graph that the task runs; null for none
     * @param chooses true if the task chooses a branch
     * @param repeats true if the task decides on another pass
     * @param chosenBy the branches that the task is in, by the numbers of the tasks that choose
     */
    record DrawnTask(@Nullable CompiledGraph inner, boolean chooses, boolean repeats, Map<Integer, Integer> chosenBy) {}
}

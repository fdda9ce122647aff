package dev.jacquard.core.compiled;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Draws a graph in the language of Graphviz, and its inner graphs as boxes of their own. */
final class Dot {
    /** Characters that no drawing may hold: controls, and halves of surrogates. */
    private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cntrl}&&[^\n]]|\\p{Cs}");

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
        List<DrawnTask> drawn = graph.shown().drawn();
        for (int task = 0; task < graph.size(); task++) {
            node(graph, task, drawn.get(task), prefix);
        }
        for (int task = 0; task < graph.size(); task++) {
            for (int later : graph.successors(task)) {
                String style = graph.carriesFailure(task, later) ? "" : "style=dashed";
                edge(
                        prefix + task,
                        prefix + later,
                        style(style, drawn.get(later).chosenBy().get(task)));
            }
            if (drawn.get(task).repeats()) {
                again(graph, task, prefix);
            }
        }
    }

    private void node(CompiledGraph graph, int task, DrawnTask drawn, String prefix) {
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

    /** Returns the style of an edge that leads into {@code branch}, or into none. */
    private static String style(String style, @Nullable Integer branch) {
        return branch == null ? style : style + (style.isEmpty() ? "" : ", ") + "label=" + quoted("branch " + branch);
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
        String shown = UNSHOWN.matcher(name).replaceAll("\uFFFD");
        return '"' + shown.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
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

package dev.jacquard.core.compiled;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Draws a graph in the language of Graphviz, and its inner graphs as boxes of their own. */
final class Dot {
    /** Characters that no drawing may hold: controls, and halves of surrogates. */
    private static final Pattern UNSHOWN = Pattern.compile("[\\p{Cntrl}&&[^\n]]|\\p{Cs}");

    private final StringBuilder text = new StringBuilder();
    /** The graphs around the next task, the innermost first: on the heap, since graphs nest to any depth. */
    private final Deque<Level> open = new ArrayDeque<>();

    private Dot() {}

    /** A graph. The names of its nodes begin with {@code prefix}. */
    private static final class Level {
        final CompiledGraph graph;
        final List<DrawnTask> drawn;
        final String prefix;
        /** The next task to draw. */
        int next;

        Level(CompiledGraph graph, String prefix) {
            this.graph = graph;
            this.drawn = graph.shown().drawn();
            this.prefix = prefix;
        }
    }

    static String of(CompiledGraph graph) {
        Dot dot = new Dot();
        dot.text.append("digraph ").append(quoted(graph.name())).append(" {\n");
        dot.open.push(new Level(graph, ""));
        dot.tasks();
        return dot.text.append("}\n").toString();
    }

    /** Draws each task, with the graph that it runs, and then the edges between the tasks of a graph. */
    private void tasks() {
        while (!open.isEmpty()) {
            Level level = open.element();
            if (level.next < level.graph.size()) {
                node(level, level.next++);
            } else {
                edges(level);
                open.pop();
                text.append(open.isEmpty() ? "" : "  }\n");
            }
        }
    }

    private void edges(Level level) {
        CompiledGraph graph = level.graph;
        String prefix = level.prefix;
        for (int task = 0; task < graph.size(); task++) {
            for (int later : graph.successors(task)) {
                String style = graph.carriesFailure(task, later) ? "" : "style=dashed";
                edge(
                        prefix + task,
                        prefix + later,
                        style(style, level.drawn.get(later).chosenBy().get(task)));
            }
            if (level.drawn.get(task).repeats()) {
                again(graph, task, prefix);
            }
        }
    }

    private void node(Level level, int task) {
        DrawnTask drawn = level.drawn.get(task);
        CompiledGraph inner = drawn.inner();
        String name = level.graph.names().get(task);
        String node = level.prefix + task;
        text.append("  ")
                .append(id(node))
                .append(" [label=")
                .append(quoted(inner == null ? name : name + ": graph " + inner.name()))
                .append(drawn.chooses() || drawn.repeats() ? ", shape=diamond" : "")
                .append(inner == null ? "" : ", shape=box")
                .append("];\n");
        if (inner != null) {
            text.append("  subgraph ")
                    .append(quoted("cluster_" + node))
                    .append(" { label=")
                    .append(quoted(inner.name()))
                    .append(";\n");
            open.push(new Level(inner, node + '.'));
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

    /** Graphviz replaces the entities of HTML in labels, so that an ampersand is written as one. */
    private static String quoted(String name) {
        String shown = UNSHOWN.matcher(name).replaceAll("\uFFFD").replace("&", "&amp;");
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

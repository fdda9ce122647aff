package dev.jacquard.drawing;

import static dev.jacquard.drawing.Labels.quoted;

import dev.jacquard.insight.analysis.GraphAnalysis;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Edge;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A graph in Graphviz's language, whole, whatever its size: a refined task is a cluster that holds its own node and its
 * sub-tasks.
 *
 * <p>Threads: confined.
 */
final class GraphDot {
    private final GraphSnapshot graph;
    private final Set<Long> critical;
    private final Map<Long, List<Task>> members = new HashMap<>();
    private final StringBuilder dot = new StringBuilder();

    GraphDot(GraphSnapshot graph) {
        this.graph = graph;
        this.critical = new HashSet<>(GraphAnalysis.of(graph).criticalPath());
        for (Task task : graph.tasks()) {
            members.computeIfAbsent(task.parent(), parent -> new ArrayList<>()).add(task);
        }
    }

    String text() {
        dot.append("digraph ").append(quoted(graph.name()));
        dot.append(" {\n  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\"];\n");
        tasks();
        graph.edges().forEach(this::edge);
        return dot.append("}\n").toString();
    }

    /** Depth first with a stack of our own: nesting may be deep. An empty entry closes a cluster. */
    private void tasks() {
        Deque<List<Task>> open = new ArrayDeque<>();
        open.push(new ArrayList<>(
                members.getOrDefault((long) Task.NONE, List.of()).reversed()));
        while (!open.isEmpty()) {
            List<Task> rest = open.element();
            if (rest.isEmpty()) {
                open.pop();
                dot.append(open.isEmpty() ? "" : "  }\n");
                continue;
            }
            Task task = rest.removeLast();
            List<Task> inside = members.getOrDefault(task.id(), List.of());
            if (!inside.isEmpty()) {
                dot.append("  subgraph \"cluster_").append(task.id()).append("\" {\n  label=");
                dot.append(quoted(task.name())).append(";\n");
                open.push(new ArrayList<>(inside.reversed()));
            }
            node(task);
        }
    }

    private void node(Task task) {
        dot.append("  t").append(task.id()).append(" [label=");
        dot.append(quoted(task.name() + "\n" + GraphLayout.details(task)));
        dot.append(", tooltip=").append(quoted(task.accesses().isEmpty() ? task.state() : task.accesses()));
        dot.append(", fillcolor=\"").append(GraphStyle.fill(task.state())).append('"');
        if (critical.contains(task.id())) {
            dot.append(", color=\"").append(GraphStyle.CRITICAL).append("\", penwidth=2.6");
        }
        dot.append("];\n");
    }

    private void edge(Edge edge) {
        dot.append("  t").append(edge.earlier()).append(" -> t").append(edge.later());
        dot.append(" [color=\"").append(GraphStyle.colour(edge.kind())).append('"');
        dot.append(", style=").append(style(edge.kind()));
        if (!edge.label().isEmpty()) {
            dot.append(", label=").append(quoted(edge.label()));
        }
        dot.append("];\n");
    }

    private static String style(GraphSnapshot.Kind kind) {
        return switch (kind) {
            case IMPLICIT -> "solid";
            case EXPLICIT -> "bold";
            case TAG -> "dotted";
            case BARRIER, POLICY -> "dashed";
        };
    }
}

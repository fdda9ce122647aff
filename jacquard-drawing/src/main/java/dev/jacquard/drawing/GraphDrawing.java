package dev.jacquard.drawing;

import dev.jacquard.insight.analysis.GraphSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Drawings of a graph of tasks.
 *
 * <p>In the SVG, boxes are coloured by state, lines differ by kind (a policy's are dashed), the critical path stands
 * out, sub-tasks are inside the box of their parent, and the pointer brings up what is known of a task or an edge.
 * Edges that follow from others are left out (the transitive reduction). Beyond the limit it shows the first tasks only
 * and says so; DOT always has the whole graph.
 *
 * <p>Each method throws an {@link IllegalArgumentException} when {@link dev.jacquard.insight.analysis.GraphAnalysis}
 * refuses the graph. Threads: immutable.
 */
public final class GraphDrawing {
    /** Tasks that a picture shows unless it is told otherwise. */
    public static final int DEFAULT_LIMIT = 2_000;

    private static final int LINES_PER_TASK = 5;

    private final GraphSnapshot graph;
    private final int limit;
    private final boolean hasAllEdges;

    private GraphDrawing(GraphSnapshot graph, int limit, boolean hasAllEdges) {
        this.graph = graph;
        this.limit = limit;
        this.hasAllEdges = hasAllEdges;
    }

    /** Drawings of a graph. */
    public static GraphDrawing of(GraphSnapshot graph) {
        return new GraphDrawing(graph, DEFAULT_LIMIT, false);
    }

    /**
     * The same with another limit.
     *
     * @param tasks tasks that an SVG shows at most; it shows five times as many joined pairs of tasks
     * @throws IllegalArgumentException when not positive, or more than 100,000
     */
    public GraphDrawing withLimit(int tasks) {
        if (tasks < 1 || tasks > 100_000) {
            throw new IllegalArgumentException("a picture shows 1 to 100,000 tasks, not " + tasks);
        }
        return new GraphDrawing(graph, tasks, hasAllEdges);
    }

    /** The same with all edges in SVG, also those that follow from others. */
    public GraphDrawing withAllEdges() {
        return new GraphDrawing(graph, limit, true);
    }

    /** The graph as SVG. */
    public String toSvg() {
        return svg(List.of(panel("", graph)));
    }

    /**
     * The dependency graph on the left, the scheduling graph on the right, each task at the same place in both, as SVG.
     */
    public String sideBySide() {
        return svg(List.of(
                panel(": dependency graph", graph.dependencyGraph()),
                panel(": scheduling graph", graph.schedulingGraph())));
    }

    /** The graph with all its edges in Graphviz's language. */
    public String toDot() {
        return new GraphDot(graph).text();
    }

    /**
     * Writes {@link #toSvg()} to {@code file}.
     *
     * @throws IOException when the file cannot be written
     */
    public void writeSvg(Path file) throws IOException {
        Files.writeString(file, toSvg());
    }

    private GraphPicture.Panel panel(String heading, GraphSnapshot whole) {
        GraphSnapshot shown = hasAllEdges ? whole : TransitiveReduction.of(whole);
        return new GraphPicture.Panel(
                graph.name() + heading,
                shown,
                whole.edges().size() - shown.edges().size());
    }

    private String svg(List<GraphPicture.Panel> panels) {
        return new GraphPicture(panels, limit, LINES_PER_TASK * limit).text();
    }
}

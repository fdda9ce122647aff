package dev.jacquard.flow;

import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.FlowSource.Edge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds outputs that lose items: no edge leads from them, and nothing says that items end there. The types that a
 * lambda sends are unknown here; the run refuses the first item that it sends into a loose end.
 */
final class LooseEnds {
    private final List<PlannedPart> items;
    private final OutputTypes types;
    private final List<String> problems = new ArrayList<>();

    /** The types of the items that tasks and rules send. */
    @FunctionalInterface
    interface OutputTypes {
        /** Returns the type of the items that the output of that number sends; null if it is unknown. */
        @Nullable
        Class<?> of(PlannedPart item, int outlet);
    }

    LooseEnds(List<PlannedPart> items, OutputTypes types) {
        this.items = items;
        this.types = types;
    }

    /** Returns the problems of a graph, and of its use inside of another. */
    List<String> of(Use use) {
        problems.clear();
        boolean isOwing = !use.graph.leads() && use.graph.outputType != Void.class;
        checkInput(use.graph);
        use.graph.siblings.forEach(edge -> check(edge, use));
        for (Sink<?> part : use.graph.parts) {
            switch (part) {
                case FlowTask<?, ?> task ->
                    check("task \"" + use.prefix + task.name() + '"', task, types.of(item(use, task), 0), use, isOwing);
                case Bookkeeper<?> keeper -> check(keeper, use, isOwing);
                case FlowGraph.Nested<?, ?> nested -> check(nested.name(), nested, nested.inner, use, isOwing);
                case FlowPipeline<?, ?> pipeline -> check(pipeline.name(), pipeline, pipeline.inner, use, isOwing);
                case GraphParts.Output<?> output -> throw new AssertionError(output);
            }
        }
        return List.copyOf(problems);
    }

    private void checkInput(GraphParts graph) {
        Class<?> taken = graph.inputType;
        if (!graph.inputs.isEmpty()) {
            checkEdges("the input of graph \"" + graph.name + '"', graph.inputs, graph.inputEnds, taken);
        } else if (!graph.inputEnds && taken != null && taken != Void.class) {
            problems.add("graph \"" + graph.name + "\" takes " + taken.getTypeName()
                    + ", and no edge leads from its input: join it with g.input().to(...), or declare"
                    + " g.input().endsHere()");
        }
    }

    /**
     * Refuses a part that has an edge for every item and {@code ends}, or items of a type that none of its edges takes.
     */
    private void checkEdges(String part, List<Edge> edges, boolean ends, @Nullable Class<?> type) {
        boolean isPlain = edges.stream().anyMatch(edge -> edge.passage().isAll());
        if (ends && isPlain) {
            problems.add(part + " has an edge, and endsHere(): leave one of the two out");
        } else if (!ends && !isPlain && type != null) {
            List<Passage> passages = edges.stream().map(Edge::passage).toList();
            for (Class<?> untaken : ItemTypes.untaken(type, passages)) {
                problems.add(part + " sends " + untaken.getTypeName() + ", and none of its edges takes it: add only("
                        + untaken.getSimpleName() + ".class).to(...), or declare endsHere()");
            }
        }
    }

    private PlannedPart item(Use use, Sink<?> part) {
        return items.get(use.numbersOf(part).findFirst().orElseThrow());
    }

    private void check(Bookkeeper<?> keeper, Use use, boolean isOwing) {
        for (int i = 0; i < keeper.rules.size(); i++) {
            check(
                    "rule " + (i + 1) + " of " + keeper.rules.size() + " of bookkeeper \"" + use.prefix + keeper.name()
                            + '"',
                    keeper.rules.get(i).output(),
                    types.of(item(use, keeper), i),
                    use,
                    isOwing);
        }
    }

    private void check(String name, FlowSource<?> source, GraphParts inner, Use use, boolean isOwing) {
        Class<?> type = inner.outputType;
        if (inner.leads()) { // else its own tasks are loose ends
            check("graph \"" + use.prefix + name + '"', source, type == null ? Object.class : type, use, isOwing);
        }
    }

    private void check(SiblingEdge<?> edge, Use use) {
        String name = "edge \"" + use.prefix + edge.name() + "\" between siblings";
        if (!edge.isUsed()) {
            problems.add("nobody sends along " + name + ": declare it with sends(...), or remove the edge");
        }
        if (!edge.edges().isEmpty()) {
            checkEdges(name, edge.edges(), edge.ends(), null);
        } else if (!edge.ends()) {
            problems.add(name + " leads nowhere: join it with to(...), or declare endsHere()");
        }
    }

    private void check(String part, FlowSource<?> source, @Nullable Class<?> type, Use use, boolean isOwing) {
        if (!source.edges().isEmpty()) {
            checkEdges(part, source.edges(), source.ends(), type);
        } else if (!source.ends() && type != Void.class) {
            String path = use.prefix;
            String graph = use.part == null ? "the graph" : "graph \"" + path.substring(0, path.length() - 1) + '"';
            if (isOwing) {
                problems.add("no edge leads to the output of " + graph + ", and none from " + part
                        + ": join it with to(g.output()), or declare endsHere() if it sends nothing");
            } else if (type != null) {
                problems.add(part + " sends " + type.getTypeName()
                        + ", and no edge leads from it: join it with to(...), or declare endsHere()");
            }
        }
    }
}

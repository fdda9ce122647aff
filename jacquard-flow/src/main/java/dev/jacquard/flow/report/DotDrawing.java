package dev.jacquard.flow.report;

import static dev.jacquard.drawing.Labels.quoted;

import dev.jacquard.drawing.Labels;
import java.util.Optional;
import java.util.stream.Collectors;

/** A profile in Graphviz's language. */
final class DotDrawing {
    private DotDrawing() {}

    static String of(FlowProfile profile) {
        StringBuilder dot = new StringBuilder("digraph ").append(quoted(profile.graph()));
        dot.append(" {\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\"];\n");
        Optional<FlowProfile.Bottleneck> bottleneck = profile.bottleneck();
        for (FlowProfile.Task task : profile.tasks()) {
            int copies = task.copies().size();
            String label = task.name() + (copies > 1 ? " x " + copies : "") + "\n"
                    + Labels.nanos(task.computeNanos()) + ", " + Labels.share(profile.impact(task)) + "\nwait "
                    + Labels.nanos(task.waitNanos()) + ", lock " + Labels.nanos(task.lockNanos()) + ", memory "
                    + Labels.nanos(task.memoryWaitNanos()) + "\nin "
                    + task.itemsIn() + ", out " + task.itemsOut() + "\nqueue at most " + task.largestQueue() + "\n"
                    + task.activeProducers() + " active producers"
                    + (task.submits()
                            ? "\n" + Labels.nanos(task.stagingNanos()) + " staging, "
                                    + Labels.nanos(task.runningNanos()) + " running"
                                    + (task.devices().isEmpty() ? "" : " on " + String.join(", ", task.devices()))
                            : "")
                    + profile.pipelines().stream()
                            .filter(pipeline -> pipeline.name().equals(task.name()))
                            .map(pipeline -> "\n" + pipeline.copies().size() + " copies, balance "
                                    + Labels.share(pipeline.balance()))
                            .collect(Collectors.joining())
                    + bottleneck
                            .filter(found -> found.task().equals(task.name()))
                            .map(found -> "\nbottleneck: " + ProfileText.figures(found))
                            .orElse("");
            node(dot, task.name(), label, Impact.colour(profile.impact(task)), task.bookkeeper() ? "hexagon" : "box");
        }
        for (FlowProfile.Link link : profile.links()) {
            dot.append("  ").append(quoted(link.from())).append(" -> ").append(quoted(link.to()));
            dot.append(" [label=")
                    .append(quoted(link.items() + (link.bound() > 0 ? "\nat most " + link.bound() + " wait" : "")))
                    .append("];\n");
        }
        for (FlowProfile.Memory memory : profile.memories()) {
            String id = "memory " + memory.name();
            String label =
                    memory.name() + "\nlive " + memory.live() + ", peak " + memory.peak() + " of " + memory.size()
                            + (memory.limitBytes() > 0
                                    ? "\n" + memory.liveBytes() + " bytes, peak " + memory.peakBytes() + " of "
                                            + memory.limitBytes()
                                    : "")
                            + (memory.loads() > 0 ? "\n" + memory.loads() + " loads" : "");
            node(dot, id, label, "#f2f2f2", "cylinder");
            memory.takers().forEach(taker -> memoryEdge(dot, id, taker));
            memory.releasers().forEach(releaser -> memoryEdge(dot, releaser, id));
        }
        return dot.append("}\n").toString();
    }

    private static void node(StringBuilder dot, String id, String label, String colour, String shape) {
        dot.append("  ").append(quoted(id)).append(" [label=").append(quoted(label));
        dot.append(", fillcolor=\"")
                .append(colour)
                .append("\", shape=")
                .append(shape)
                .append("];\n");
    }

    private static void memoryEdge(StringBuilder dot, String from, String to) {
        dot.append("  ").append(quoted(from)).append(" -> ").append(quoted(to));
        dot.append(" [style=dashed, constraint=false];\n");
    }
}

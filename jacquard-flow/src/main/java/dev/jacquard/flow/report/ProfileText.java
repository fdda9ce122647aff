package dev.jacquard.flow.report;

import dev.jacquard.drawing.Labels;
import java.util.Locale;

/** A profile as a table. */
final class ProfileText {
    private ProfileText() {}

    static String of(FlowProfile profile) {
        StringBuilder text = new StringBuilder("flow \"" + profile.graph() + "\" " + profile.outcome() + ", "
                + Labels.nanos(profile.elapsedNanos()) + " elapsed\n");
        TextTable tasks = new TextTable();
        tasks.row("task", "items", "compute", "wait", "lock", "memory wait", "queue, most", "busy");
        for (FlowProfile.Task task : profile.tasks()) {
            tasks.row(
                    task.name(),
                    Long.toString(task.itemsIn()),
                    Labels.nanos(task.computeNanos()),
                    Labels.nanos(task.waitNanos()),
                    Labels.nanos(task.lockNanos()),
                    Labels.nanos(task.memoryWaitNanos()),
                    task.queued() + ", " + task.largestQueue(),
                    Labels.share(profile.busy(task)));
            if (task.copies().size() > 1) {
                task.copies()
                        .forEach(copy -> tasks.row(
                                "  copy " + copy.index() + (copy.device().isEmpty() ? "" : " on " + copy.device()),
                                Long.toString(copy.itemsIn()),
                                Labels.nanos(copy.computeNanos()),
                                Labels.nanos(copy.waitNanos()),
                                Labels.nanos(copy.lockNanos()),
                                Labels.nanos(copy.memoryWaitNanos()),
                                "",
                                copy.itemNanos() == 0 ? "" : Labels.nanos(copy.itemNanos()) + " per item"));
            }
        }
        text.append(tasks.text());
        for (FlowProfile.Memory memory : profile.memories()) {
            text.append("memory edge \"" + memory.name() + "\": " + memory.live() + " of " + memory.size()
                    + " lent, at most " + memory.peak() + ", " + memory.taken() + " loans, items and threads waited "
                    + Labels.nanos(memory.waitNanos())
                    + (memory.limitBytes() > 0
                            ? ", at most " + memory.peakBytes() + " of " + memory.limitBytes() + " bytes"
                            : "")
                    + (memory.loads() > 0 ? ", " + memory.loads() + " keys loaded" : "") + "\n");
        }
        for (FlowProfile.Link link : profile.links()) {
            if (link.bound() > 0) {
                text.append("edge \"" + link.from() + " -> " + link.to() + "\": at most " + link.bound()
                        + " items wait, items of \"" + link.from() + "\" waited for room "
                        + Labels.nanos(link.waitNanos()) + "\n");
            }
        }
        profile.bottleneck().ifPresent(found -> text.append("bottleneck: " + label(found) + "\n"));
        return text.toString();
    }

    /** Returns the name of a task, and a line per copy. */
    static String of(FlowProfile.Task task) {
        StringBuilder text = new StringBuilder(task.name());
        for (FlowProfile.Copy copy : task.copies()) {
            text.append("\ncopy ").append(copy.index());
            text.append(copy.device().isEmpty() ? "" : " on " + copy.device());
            text.append(": items ").append(copy.itemsIn());
            text.append(copy.itemNanos() == 0 ? "" : ", " + Labels.nanos(copy.itemNanos()) + " per item");
            text.append(", compute ").append(Labels.nanos(copy.computeNanos()));
            text.append(", wait ").append(Labels.nanos(copy.waitNanos()));
            text.append(", lock ").append(Labels.nanos(copy.lockNanos()));
            text.append(", memory ").append(Labels.nanos(copy.memoryWaitNanos()));
        }
        return text.toString();
    }

    /** Returns the number of items that were sent along an edge, with its bound. */
    static String label(FlowProfile.Link link) {
        return Labels.count(link.items()) + (link.bound() > 0 ? ", \u2264 " + link.bound() + " wait" : "");
    }

    /** Returns the bottleneck with its throughput. */
    static String label(FlowProfile.Bottleneck found) {
        return found.task() + ", " + figures(found);
    }

    /** Returns the throughput of the bottleneck. */
    static String figures(FlowProfile.Bottleneck found) {
        return rate(found.itemsPerSecond()) + " items/s, " + Labels.share(found.busy()) + " busy";
    }

    static String rate(double perSecond) {
        return perSecond < 100 ? String.format(Locale.ROOT, "%.3g", perSecond) : Labels.count(Math.round(perSecond));
    }
}

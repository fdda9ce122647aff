package dev.jacquard.flow.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A profile in which the copies of a pipeline are one: a drawing has the graph once, with the sums of all copies.
 *
 * <pre>
 *  pipe#0/read, pipe#1/read --> pipe/read
 * </pre>
 *
 * <p>Threads: confined.
 */
final class FoldedProfile {
    private final FlowProfile profile;
    /** The pipelines; inner ones, with longer names, first. */
    private final List<PipelineBalance> pipelines;

    private FoldedProfile(FlowProfile profile) {
        this.profile = profile;
        this.pipelines = profile.pipelines().stream()
                .sorted(Comparator.comparingInt(
                                (PipelineBalance one) -> one.name().length())
                        .reversed())
                .toList();
    }

    /** Returns {@code profile}, folded where it has pipelines. */
    static FlowProfile of(FlowProfile profile) {
        return profile.pipelines().isEmpty() ? profile : new FoldedProfile(profile).fold();
    }

    private FlowProfile fold() {
        List<FlowProfile.Link> links = merge(
                profile.links().stream()
                        .map(link -> new FlowProfile.Link(
                                folded(link.from()), folded(link.to()), link.items(), link.bound(), link.waitNanos())),
                link -> List.of(link.from(), link.to()),
                FlowProfile.Link::plus);
        return new FlowProfile(
                profile.graph(),
                profile.outcome(),
                profile.elapsedNanos(),
                merge(profile.tasks().stream().map(this::folded), FlowProfile.Task::name, FoldedProfile::sum),
                merge(profile.memories().stream().map(this::folded), FlowProfile.Memory::name, FoldedProfile::sum),
                links,
                merge(
                        profile.pipelines().stream().map(one -> new PipelineBalance(folded(one.name()), one.copies())),
                        PipelineBalance::name,
                        FoldedProfile::sum));
    }

    private static <T> List<T> merge(Stream<T> all, Function<T, Object> key, BinaryOperator<T> sum) {
        return List.copyOf(all.collect(Collectors.toMap(key, one -> one, sum, LinkedHashMap::new))
                .values());
    }

    /** Returns the name without the numbers of the copies of pipelines. */
    private String folded(String name) {
        String its = name;
        for (PipelineBalance pipeline : pipelines) {
            for (int copy = 0; copy < pipeline.copies().size(); copy++) {
                String prefix = pipeline.name() + "#" + copy + "/";
                if (its.startsWith(prefix)) {
                    its = pipeline.name() + "/" + its.substring(prefix.length());
                }
            }
        }
        return its;
    }

    private List<String> folded(List<String> names) {
        return names.stream().map(this::folded).distinct().toList();
    }

    private FlowProfile.Memory folded(FlowProfile.Memory memory) {
        return new FlowProfile.Memory(
                folded(memory.name()),
                memory.size(),
                memory.live(),
                memory.peak(),
                memory.taken(),
                memory.waitNanos(),
                memory.limitBytes(),
                memory.liveBytes(),
                memory.peakBytes(),
                memory.loads(),
                folded(memory.takers()),
                folded(memory.releasers()));
    }

    private static FlowProfile.Memory sum(FlowProfile.Memory a, FlowProfile.Memory b) {
        return new FlowProfile.Memory(
                a.name(),
                a.size() + b.size(),
                a.live() + b.live(),
                a.peak() + b.peak(),
                a.taken() + b.taken(),
                a.waitNanos() + b.waitNanos(),
                a.limitBytes() + b.limitBytes(),
                a.liveBytes() + b.liveBytes(),
                a.peakBytes() + b.peakBytes(),
                a.loads() + b.loads(),
                a.takers(),
                a.releasers());
    }

    private FlowProfile.Task folded(FlowProfile.Task task) {
        return new FlowProfile.Task(
                folded(task.name()),
                task.bookkeeper(),
                task.dedicated(),
                task.activeProducers(),
                task.queued(),
                task.largestQueue(),
                task.stagingNanos(),
                task.runningNanos(),
                task.copies());
    }

    /** Returns both as one task; times in which at least one engine task ran are the longest of a copy. */
    private static FlowProfile.Task sum(FlowProfile.Task a, FlowProfile.Task b) {
        return new FlowProfile.Task(
                a.name(),
                a.bookkeeper(),
                a.dedicated(),
                a.activeProducers() + b.activeProducers(),
                a.queued() + b.queued(),
                Math.max(a.largestQueue(), b.largestQueue()),
                Math.max(a.stagingNanos(), b.stagingNanos()),
                Math.max(a.runningNanos(), b.runningNanos()),
                Stream.concat(a.copies().stream(), b.copies().stream()).toList());
    }

    private static PipelineBalance sum(PipelineBalance a, PipelineBalance b) {
        List<PipelineBalance.Copy> copies = new ArrayList<>();
        for (int i = 0; i < Math.min(a.copies().size(), b.copies().size()); i++) {
            PipelineBalance.Copy one = a.copies().get(i);
            PipelineBalance.Copy other = b.copies().get(i);
            copies.add(new PipelineBalance.Copy(
                    one.device().equals(other.device()) ? one.device() : "",
                    one.items() + other.items(),
                    one.computeNanos() + other.computeNanos(),
                    one.runningNanos() + other.runningNanos(),
                    one.lentBytes() + other.lentBytes(),
                    one.peakBytes() + other.peakBytes()));
        }
        return new PipelineBalance(a.name(), List.copyOf(copies));
    }
}

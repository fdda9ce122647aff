package dev.jacquard.flow.dry;

import dev.jacquard.flow.dry.DryRuns.DryStage;
import dev.jacquard.flow.dry.Travelling.Worked;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.runtime.Run;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import dev.jacquard.flow.runtime.RunPlan.PoolPlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.MemoryUse;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Options;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One pass of a dry run: the engine's stages, rules and grants, with maps in place of bodies, in virtual time.
 *
 * <p>Threads: confined to the thread of the dry run.
 */
final class Rehearsal {
    private final RunPlan plan;
    private final List<@Nullable DryStage> dry;
    private final int[] sizes;
    private final DryWorkers workers;
    /** True if a task works on as many items at once as there are. */
    private final boolean isUnlimited;

    /** The findings of a pass. */
    record Outcome(
            boolean ended,
            int[] peaks,
            long nanos,
            @Nullable Worked last,
            FlowReport report) {}

    /**
     * The work on an item, whose time has to pass.
     *
     * @param endNanos the time at which its results are passed on
     * @param waits whether they wait then for the results of an item before it
     */
    private record Work(
            DryEmitter emitted,
            @Nullable Object slots,
            long endNanos,
            boolean waits,
            String task,
            @Nullable Worked before) {}

    /**
     * Prepares a pass.
     *
     * @param dry per stage, the map in place of the body; null for a bookkeeper
     * @param sizes the number of buffers of each pool
     * @param workers the number of workers; 0 for as many as there is work, and as many copies
     */
    Rehearsal(RunPlan plan, List<@Nullable DryStage> dry, int[] sizes, int workers) {
        this.plan = plan;
        this.dry = dry;
        this.sizes = sizes;
        this.workers = new DryWorkers(workers);
        this.isUnlimited = workers == 0;
    }

    /**
     * Sends {@code items}.
     *
     * @param oneByOne true if each is worked through to its end before the next is sent
     */
    Outcome run(List<?> items, boolean oneByOne) {
        Run run = Run.start(workers, dryPlan());
        boolean ended = false;
        try {
            for (Object item : items) {
                if (oneByOne) {
                    workers.settle();
                }
                run.send(new Travelling(item, null));
            }
            run.finish();
            workers.settle();
            ended = run.completed();
            if (ended) {
                run.await(); // throws the exception of a map or rule
            }
            return new Outcome(ended, Run.Dry.peaks(run), workers.now(), workers.last(), run.report());
        } finally {
            end(run, ended);
        }
    }

    /** Closes the run, which may hold buffers: that a dry run found out, or an exception of a map has ended it. */
    private void end(Run run, boolean ended) {
        if (!ended) {
            run.cancel();
        }
        workers.settle();
        try {
            run.close();
        } catch (IllegalStateException | FlowFailedException e) {
            // names buffers that were not released; failures were thrown by await()
        }
    }

    /** Returns the plan with two stages for each task that takes time, one after the other. */
    private RunPlan dryPlan() {
        int[] numbers = new int[plan.stages().size() + 1];
        for (int i = 0; i + 1 < numbers.length; i++) {
            numbers[i + 1] = numbers[i] + (isTimed(i) ? 2 : 1);
        }
        List<StagePlan> stages = new ArrayList<>();
        for (int i = 0; i < plan.stages().size(); i++) {
            add(i, numbers, stages);
        }
        List<PoolPlan> pools = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            pools.add(pool(plan.pools().get(i), sizes[i], numbers));
        }
        return new RunPlan(
                plan.graph(),
                stages,
                plan.inputs().stream()
                        .map(outlet -> renumbered(outlet, numbers))
                        .toList(),
                Travelling.along(plan.inputForks()),
                pools,
                plan.edges(),
                plan.cycles().stream().map(members -> cycle(members, numbers)).toList(),
                plan.pipelines().stream().map(its -> pipeline(its, numbers)).toList(),
                0,
                0,
                List::of);
    }

    /** Returns true if the stage is a task whose items take time: it is no bookkeeper, distributor or start task. */
    private boolean isTimed(int stage) {
        return dry.get(stage) != null && !plan.stages().get(stage).options().is(Trait.START);
    }

    private void add(int number, int[] numbers, List<StagePlan> stages) {
        StagePlan stage = plan.stages().get(number);
        DryStage map = dry.get(number);
        List<int[]> outlets = stage.outlets().stream()
                .map(outlet -> renumbered(outlet, numbers))
                .toList();
        if (map == null) {
            stages.add(between(stage, outlets));
        } else if (isTimed(number)) {
            workers.add(
                    stage.name(),
                    isUnlimited ? 0 : stage.share().all(),
                    stage.options().submitting().inFlight());
            int end = numbers[number] + 1;
            MemoryUse memory = stage.memory().withSlots(List.of());
            boolean isOrdered = stage.options().is(Trait.ORDERED);
            stages.add(stage(
                    stage, new Beginning(stage.name(), map, isOrdered), List.of(new int[] {end}), memory, List.of()));
            stages.add(end(stage, new Ending(), outlets));
        } else {
            stages.add(stage(stage, new Starting(stage.name(), map), outlets, stage.memory(), stage.forks()));
        }
    }

    private static int[] renumbered(int[] consumers, int[] numbers) {
        return Arrays.stream(consumers).map(to -> to < 0 ? to : numbers[to]).toArray();
    }

    private List<Integer> cycle(List<Integer> members, int[] numbers) {
        List<Integer> all = new ArrayList<>();
        for (int member : members) {
            all.add(numbers[member]);
            if (isTimed(member)) {
                all.add(numbers[member] + 1);
            }
        }
        return all;
    }

    private static PipelinePlan pipeline(PipelinePlan planned, int[] numbers) {
        return new PipelinePlan(
                planned.name(),
                planned.distributor() < 0 ? -1 : numbers[planned.distributor()],
                planned.copies().stream()
                        .map(copy -> new PipelinePlan.Copy(
                                null,
                                new PipelinePlan.Range(
                                        numbers[copy.stages().from()],
                                        numbers[copy.stages().end()]),
                                copy.pools()))
                        .toList());
    }

    private static PoolPlan pool(PoolPlan planned, int size, int[] numbers) {
        MemoryEdge<?> edge = planned.edge();
        if (planned.isBound()) {
            return new PoolPlan(
                    planned.name(), MemoryEdge.ofPermits(edge.name(), size), null, numbers[planned.consumer()]);
        }
        MemoryEdge<Object> other = new MemoryEdge<>(edge.name(), size, Object::new).dynamic();
        String reason = edge.reason();
        return new PoolPlan(
                planned.name(),
                reason == null || size < edge.smallest() ? other : other.atLeast(edge.smallest(), reason),
                null);
    }

    /** Returns a stage with one body, which stands for all copies: {@link DryWorkers} counts the items at work. */
    private static StagePlan stage(
            StagePlan stage,
            Body<Object, Object> body,
            List<int[]> outlets,
            MemoryUse memory,
            List<RunPlan.Fork> forks) {
        Options its = stage.options();
        Set<Trait> traits = EnumSet.of(Trait.ONE_BY_ONE);
        traits.addAll(its.traits());
        traits.removeAll(Set.of(Trait.DEDICATED, Trait.ORDERED));
        Comparator<Object> order = its.order();
        Comparator<Object> dryOrder =
                order == null ? null : (a, b) -> order.compare(((Travelling) a).item(), ((Travelling) b).item());
        return new StagePlan(
                stage.name(),
                traits.contains(Trait.START) ? stage.share() : new StagePlan.Share(stage.name(), 0, 1),
                List.of(body),
                List.of(),
                outlets,
                Travelling.along(forks),
                memory,
                new Options(traits, 0, dryOrder, null, its.termination(), null, new StagePlan.Submitting(List.of(), 1)),
                place(stage));
    }

    private static StagePlan end(StagePlan stage, Body<Object, Object> ending, List<int[]> outlets) {
        Comparator<Object> earliest = Comparator.comparingLong(work -> ((Work) work).endNanos);
        return new StagePlan(
                DryWorkers.endOf(stage.name()),
                new StagePlan.Share(DryWorkers.endOf(stage.name()), 0, 1),
                List.of(ending),
                List.of(),
                outlets,
                Travelling.along(stage.forks()),
                new MemoryUse(Map.of(), List.of(), stage.memory().pools())
                        .withSlots(stage.memory().slots()),
                new Options(
                        Set.of(Trait.ONE_BY_ONE),
                        0,
                        earliest,
                        null,
                        null,
                        null,
                        new StagePlan.Submitting(List.of(), 1)),
                place(stage));
    }

    /** Returns the stage of a bookkeeper, or of the distributor of a pipeline, for items on their way. */
    private static StagePlan between(StagePlan stage, List<int[]> outlets) {
        List<Rule<Object, Object>> rules = new ArrayList<>();
        for (Rule<Object, Object> rule : stage.rules()) {
            rules.add((queued, pipeline, out) -> {
                Travelling its = (Travelling) queued;
                rule.apply(its.item(), pipeline, DryEmitter.now(out, stage.name(), its.before()));
            });
        }
        return new StagePlan(
                stage.name(),
                stage.share(),
                List.of(),
                rules,
                outlets,
                Travelling.along(stage.forks()),
                stage.memory(),
                stage.options(),
                place(stage));
    }

    /** Returns the place of a stage without its device, which a dry run has not. */
    private static PipelinePlan.Place place(StagePlan stage) {
        PipelinePlan.Place its = stage.place();
        Distribution<Object> by = its.distribution();
        return new PipelinePlan.Place(
                its.number(), its.copies(), null, its.siblings(), by == null ? null : new Distributing(by));
    }

    /** Distributes items on their way. */
    private record Distributing(Distribution<Object> by) implements Distribution<Object> {
        @Override
        public int choose(Object queued, Loads loads) throws Exception {
            return by.choose(((Travelling) queued).item(), loads);
        }

        @Override
        public void distribute(Object queued, Loads loads, IntConsumer to) throws Exception {
            by.distribute(((Travelling) queued).item(), loads, to);
        }
    }

    // ---- bodies

    /** A body that stands for a copy of the user's. */
    private abstract static class Mapped implements Body<Object, Object> {
        final String task;
        final DryStage map;

        Mapped(String task, DryStage map) {
            this.task = task;
            this.map = map;
        }

        @Override
        public void initialize(CopyInfo copy) throws Exception {
            map.body().initialize(copy);
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return map.body().canTerminate(inputClosed);
        }
    }

    /** Begins items: takes their buffers. */
    private final class Beginning extends Mapped {
        /** True if the results of an item are passed on after those of the items before it. */
        private final boolean isOrdered;
        /** The latest end of an item so far. */
        private long latest;

        Beginning(String task, DryStage map, boolean isOrdered) {
            super(task, map);
            this.isOrdered = isOrdered;
        }

        @Override
        public void execute(Object queued, Emitter<Object> out) throws Exception {
            Travelling its = (Travelling) queued;
            DryEmitter later = DryEmitter.later(out, task);
            map.body().execute(its.item(), later);
            long end = workers.now() + Math.max(0, map.nanos().applyAsLong(its.item()));
            latest = Math.max(latest, end);
            long turn = isOrdered ? latest : end;
            workers.begin(task, end, turn);
            out.emit(new Work(later, Run.Dry.keepSlots(out), turn, turn > end, task, its.before()));
        }
    }

    /** Ends items, as their time has passed: emits and releases. */
    private final class Ending implements Body<Object, Object> {
        /** The work for which results waited last, or that passed on its own. */
        private @Nullable Worked latest;

        @Override
        public void execute(Object queued, Emitter<Object> out) {
            Work work = (Work) queued;
            Worked elder = latest;
            Worked worked = work.waits && elder != null ? elder : new Worked(work.task, work.endNanos, work.before);
            latest = worked;
            workers.end(work.task, worked);
            Run.Dry.useSlots(out, work.slots, () -> work.emitted.finish(out, worked));
        }
    }

    /** A start task, which takes no time. */
    private static final class Starting extends Mapped {
        Starting(String task, DryStage map) {
            super(task, map);
        }

        @Override
        public void execute(Object signal, Emitter<Object> out) throws Exception {
            map.body().execute(signal, DryEmitter.now(out, task, null));
        }
    }
}

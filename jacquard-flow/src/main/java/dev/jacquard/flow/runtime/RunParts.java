package dev.jacquard.flow.runtime;

import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.report.PipelineBalance;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.MemoryUse;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The parts of a run, and their counts, read stage by stage while the run may be at work.
 *
 * @param stages in the order of the plan
 * @param copies of all stages
 * @param times the times of the copies of pipelines
 * @param courier passes on items that copies hold back
 */
record RunParts(
        RunPlan plan,
        List<Stage> stages,
        List<TaskInstance> copies,
        Courier courier,
        Input input,
        OutputQueue output,
        BufferGrants ledger,
        Loans loans,
        PipelineTimes times) {
    FlowReport report(FlowReport.Outcome outcome) {
        List<FlowReport.TaskCount> tasks = new ArrayList<>();
        for (Stage stage : stages) {
            ItemCounters total = stage.counts().total();
            tasks.add(new FlowReport.TaskCount(
                    stage.setup.plan.name(), total.executed, total.failed, total.cancelled, total.dropped));
        }
        return new FlowReport(
                plan.graph(),
                outcome,
                input.sent(),
                output.delivered(),
                output.undelivered(),
                List.copyOf(tasks),
                loans.outstanding());
    }

    /**
     * Returns the profile as of now. The emitted items are read after the items that are worked on, and the elapsed
     * time last: so no task has worked on more items than were sent to it, and no copy was at work for longer than the
     * run.
     */
    FlowProfile profile(FlowReport.Outcome outcome, LongSupplier elapsedNanos) {
        List<FlowProfile.Memory> memories = memories();
        List<StageCounts> counts = stages.stream().map(Stage::counts).toList();
        Map<List<String>, FlowProfile.Link> links = new LinkedHashMap<>();
        for (int outlet = 0; outlet < plan.inputs().size(); outlet++) {
            for (int to : plan.inputs().get(outlet)) {
                long sent = outlet == 0 ? input.sent() : input.sent(outlet - 1);
                count(links, FlowProfile.INPUT, to, sent, MemoryUse.NO_POOL);
            }
        }
        List<FlowProfile.Task> tasks = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            StageSetup setup = stages.get(i).setup;
            List<TaskInstance> its = setup.instances;
            List<FlowProfile.Copy> figures = new ArrayList<>();
            for (int copy = 0; copy < its.size(); copy++) {
                figures.add(copy(its.get(copy), counts.get(i).copies().get(copy), count(links, setup, its.get(copy))));
            }
            tasks.add(task(setup, counts.get(i), figures));
        }
        return new FlowProfile(
                plan.graph(),
                outcome,
                elapsedNanos.getAsLong(),
                List.copyOf(tasks),
                memories,
                List.copyOf(links.values()),
                balances(tasks));
    }

    /** Counts the items that a copy has emitted along the edges of its task; returns their number. */
    private long count(Map<List<String>, FlowProfile.Link> links, StageSetup setup, TaskInstance copy) {
        long all = 0;
        for (int outlet = 0; outlet < setup.plan.outlets().size(); outlet++) {
            long emitted = copy.emitted(outlet);
            all += outlet < setup.plan.outlets().size() - setup.plan.forks().size() ? emitted : 0;
            int[] consumers = setup.plan.outlets().get(outlet);
            for (int i = 0; i < consumers.length; i++) {
                int slots = setup.plan.memory().slotsOf(outlet, i);
                count(links, setup.plan.name(), consumers[i], emitted, slots);
            }
        }
        return all;
    }

    private void count(Map<List<String>, FlowProfile.Link> links, String from, int to, long items, int slots) {
        if (to == RunPlan.NOWHERE) {
            return;
        }
        String name = to == RunPlan.OUTPUT
                ? FlowProfile.OUTPUT
                : plan.stages().get(to).name();
        links.merge(List.of(from, name), link(from, name, items, slots), FlowProfile.Link::plus);
    }

    private FlowProfile.Link link(String from, String to, long items, int slots) {
        if (slots == MemoryUse.NO_POOL) {
            return new FlowProfile.Link(from, to, items);
        }
        Pool pool = ledger.pools().get(slots);
        synchronized (ledger) {
            return new FlowProfile.Link(from, to, items, pool.size, pool.waitNanos);
        }
    }

    private static FlowProfile.Copy copy(TaskInstance copy, ItemCounters counts, long emitted) {
        return new FlowProfile.Copy(
                copy.info.index(),
                copy.info.device() == null ? "" : String.valueOf(copy.info.device()),
                counts.executed,
                emitted,
                counts.computeNanos(),
                counts.waitNanos,
                counts.lockNanos(),
                counts.memoryNanos,
                copy.route == null ? 0 : copy.route.meanNanos());
    }

    private static FlowProfile.Task task(StageSetup setup, StageCounts counts, List<FlowProfile.Copy> copies) {
        StagePlan plan = setup.plan;
        return new FlowProfile.Task(
                plan.name(),
                plan.bookkeeper(),
                plan.options().is(StagePlan.Trait.DEDICATED),
                counts.producers(),
                counts.queued(),
                counts.largest(),
                setup.busy.stagingNanos(),
                setup.busy.runningNanos(),
                List.copyOf(copies));
    }

    private List<FlowProfile.Memory> memories() {
        List<FlowProfile.Memory> memories = new ArrayList<>();
        synchronized (ledger) {
            for (int number = 0; number < ledger.pools().size(); number++) {
                Pool pool = ledger.pools().get(number);
                if (pool.isBound) {
                    continue; // see the links
                }
                memories.add(new FlowProfile.Memory(
                        pool.name,
                        pool.size,
                        pool.lent(),
                        pool.peak,
                        pool.taken,
                        pool.waitNanos,
                        pool.limit,
                        pool.liveBytes,
                        pool.peakBytes,
                        pool.keyed == null ? 0 : pool.keyed.loads(),
                        names(number, true),
                        names(number, false)));
            }
        }
        return List.copyOf(memories);
    }

    private List<PipelineBalance> balances(List<FlowProfile.Task> tasks) {
        List<PipelineBalance> balances = new ArrayList<>();
        for (int i = 0; i < plan.pipelines().size(); i++) {
            PipelinePlan pipeline = plan.pipelines().get(i);
            List<PipelineBalance.Copy> copies = new ArrayList<>();
            for (int number = 0; number < pipeline.copies().size(); number++) {
                PipelinePlan.Copy copy = pipeline.copies().get(number);
                long given = pipeline.distributor() < 0
                        ? 0
                        : stages.get(pipeline.distributor())
                                .setup
                                .instances
                                .getFirst()
                                .emitted(number);
                long computeNanos = tasks
                        .subList(copy.stages().from(), copy.stages().end())
                        .stream()
                        .mapToLong(FlowProfile.Task::computeNanos)
                        .sum();
                copies.add(balance(copy, given, computeNanos, times.of(i, number)));
            }
            balances.add(new PipelineBalance(pipeline.name(), List.copyOf(copies)));
        }
        return List.copyOf(balances);
    }

    private PipelineBalance.Copy balance(PipelinePlan.Copy copy, long given, long computeNanos, BusyTime busy) {
        long lent = 0;
        long peak = 0;
        synchronized (ledger) {
            for (int number = copy.pools().from(); number < copy.pools().end(); number++) {
                Layout layout = plan.pools().get(number).edge().layout();
                if (layout != null) {
                    lent += ledger.pools().get(number).taken * layout.bytes();
                    peak += ledger.pools().get(number).peak * layout.bytes();
                }
            }
        }
        return new PipelineBalance.Copy(
                copy.device() == null ? "" : copy.device().name(),
                given,
                computeNanos,
                busy.runningNanos(),
                lent,
                peak);
    }

    private List<String> names(int pool, boolean takers) {
        return plan.stages().stream()
                .filter(stage -> takers
                        ? stage.memory().needs().containsKey(pool)
                        : stage.memory().releases().contains(pool))
                .map(StagePlan::name)
                .toList();
    }
}

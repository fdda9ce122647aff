package dev.jacquard.flow.runtime;

import dev.jacquard.flow.report.FlowProfile;
import dev.jacquard.flow.report.FlowReport;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a run, and their counts, read stage by stage while the run may be at work.
 *
 * @param stages in the order of the plan
 * @param copies of all stages
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
        Loans loans) {
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

    FlowProfile profile(FlowReport.Outcome outcome, long elapsedNanos) {
        Map<FlowProfile.Link, Long> links = new LinkedHashMap<>();
        for (int to : plan.inputs()) {
            count(links, FlowProfile.INPUT, to, input.sent());
        }
        List<FlowProfile.Task> tasks = new ArrayList<>();
        for (Stage stage : stages) {
            StageCounts counts = stage.counts();
            long[] emitted = counts.total().emitted;
            for (int outlet = 0; outlet < emitted.length; outlet++) {
                for (int to : stage.setup.plan.outlets().get(outlet)) {
                    count(links, stage.setup.plan.name(), to, emitted[outlet]);
                }
            }
            tasks.add(task(stage.setup, counts));
        }
        List<FlowProfile.Link> counted = new ArrayList<>();
        links.forEach((link, items) -> counted.add(new FlowProfile.Link(link.from(), link.to(), items)));
        return new FlowProfile(
                plan.graph(), outcome, elapsedNanos, List.copyOf(tasks), memories(), List.copyOf(counted));
    }

    private void count(Map<FlowProfile.Link, Long> links, String from, int to, long items) {
        if (to == RunPlan.NOWHERE) {
            return;
        }
        String name = to == RunPlan.OUTPUT
                ? FlowProfile.OUTPUT
                : plan.stages().get(to).name();
        links.merge(new FlowProfile.Link(from, name, 0), items, Long::sum);
    }

    private static FlowProfile.Task task(StageSetup setup, StageCounts counts) {
        StagePlan plan = setup.plan;
        ItemCounters total = counts.total();
        return new FlowProfile.Task(
                plan.name(),
                plan.bookkeeper(),
                plan.options().is(StagePlan.Trait.DEDICATED),
                plan.copies(),
                counts.producers(),
                counts.queued(),
                counts.largest(),
                total.executed,
                Arrays.stream(total.emitted).sum(),
                total.computeNanos,
                total.waitNanos,
                setup.devices(),
                setup.busy.stagingNanos(),
                setup.busy.runningNanos());
    }

    private List<FlowProfile.Memory> memories() {
        List<FlowProfile.Memory> memories = new ArrayList<>();
        synchronized (ledger) {
            for (int number = 0; number < ledger.pools().size(); number++) {
                Pool pool = ledger.pools().get(number);
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

    private List<String> names(int pool, boolean takers) {
        return plan.stages().stream()
                .filter(stage -> takers
                        ? stage.memory().needs().containsKey(pool)
                        : stage.memory().releases().contains(pool))
                .map(StagePlan::name)
                .toList();
    }
}

package dev.jacquard.flow.runtime;

import dev.jacquard.flow.memory.Allocator;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.CopyInfo;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the stages, copies and pools of a run from its plan.
 *
 * <p>Threads: confined to the thread that starts the run.
 */
final class Assembly {
    private final Run run;
    private final RunPlan plan;
    private final BufferGrants ledger;
    private final OutputQueue output;
    private final List<Stage> stages = new ArrayList<>();
    private final List<TaskInstance> copies = new ArrayList<>();

    Assembly(Run run, RunPlan plan, BufferGrants ledger, OutputQueue output) {
        this.run = run;
        this.plan = plan;
        this.ledger = ledger;
        this.output = output;
    }

    RunParts build() {
        List<List<CopyInfo>> infos = // throws if a device is missing, so before any allocation
                plan.stages().stream().map(run.submissions()::copies).toList();
        allocatePools();
        for (StagePlan stage : plan.stages()) {
            stages.add(new Stage(
                    stage,
                    ledger,
                    needsOf(stage),
                    new BusyTime(run.workers().trace()::nanoTime),
                    (phase, item, problem) -> run.life().raise(stage.name(), phase, item, problem)));
        }
        for (List<Integer> members : plan.cycles()) {
            Cycle cycle = new Cycle();
            members.forEach(member -> stages.get(member).cycle(cycle));
        }
        new Placing(plan, stages, ledger.pools()).place();
        for (int input : plan.inputs()) {
            connect(null, input, 1);
        }
        for (int i = 0; i < stages.size(); i++) {
            buildCopies(stages.get(i), infos.get(i));
        }
        stages.forEach(Stage::closeIfUnfed);
        ItemSink[] inputs = Arrays.stream(plan.inputs()).mapToObj(this::target).toArray(ItemSink[]::new);
        Input input = new Input(inputs, plan.inputBound(), ledger);
        return new RunParts(plan, List.copyOf(stages), List.copyOf(copies), input, output, ledger);
    }

    private void allocatePools() {
        for (RunPlan.PoolPlan planned : plan.pools()) {
            Layout layout = planned.edge().layout();
            Allocator<?> allocator = layout == null
                    ? planned.edge().allocator()
                    : run.submissions().data(planned.name(), layout);
            Pool pool = new Pool(planned.name(), planned.edge(), allocator);
            ledger.add(pool);
            for (int i = 0; i < pool.size && !pool.dynamic; i++) {
                try {
                    pool.values.add(pool.allocator.allocate());
                } catch (Throwable t) {
                    freeAll(t);
                    throw new FlowFailedException(plan.graph(), planned.name(), -1, "allocate", null, t, null);
                }
            }
        }
    }

    private void freeAll(Throwable cause) {
        for (Pool pool : ledger.pools()) {
            for (Object value : pool.values) {
                free(pool.allocator, value, cause);
            }
        }
    }

    private static void free(Allocator<Object> allocator, Object value, Throwable cause) {
        try {
            allocator.free(value);
        } catch (Throwable t) {
            cause.addSuppressed(t);
        }
    }

    private Need[] needsOf(StagePlan stage) {
        List<Need> needs = new ArrayList<>();
        stage.memory()
                .needs()
                .forEach((pool, count) -> needs.add(new Need(ledger.pools().get(pool), count)));
        return needs.toArray(Need[]::new);
    }

    private void buildCopies(Stage stage, List<CopyInfo> infos) {
        StagePlan planned = stage.plan();
        ItemSink[][] targets = new ItemSink[planned.outlets().size()][];
        for (int i = 0; i < targets.length; i++) {
            int[] numbers = planned.outlets().get(i);
            targets[i] = new ItemSink[numbers.length];
            for (int j = 0; j < numbers.length; j++) {
                targets[i][j] = connect(stage, numbers[j], planned.copies());
            }
        }
        stage.devices(infos.stream()
                .filter(info -> info.device() != null)
                .map(info -> String.valueOf(info.device()))
                .distinct()
                .toList());
        for (CopyInfo info : infos) {
            copies.add(new TaskInstance(run, stage, info, targets));
        }
    }

    private ItemSink connect(@Nullable Stage from, int to, int producers) {
        ItemSink target = target(to);
        if (target instanceof Stage stage) {
            stage.addProducers(producers);
            if (from == null) {
                stage.feedFromOutside();
            }
            if (stage.cycle() != null && (from == null || from.cycle() != stage.cycle())) {
                stage.cycle().take(producers);
            }
        }
        return target;
    }

    private ItemSink target(int number) {
        return number == RunPlan.OUTPUT ? output : stages.get(number);
    }
}

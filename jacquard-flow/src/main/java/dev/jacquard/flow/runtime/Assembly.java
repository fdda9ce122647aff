package dev.jacquard.flow.runtime;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.MemoryUse;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Builds the stages, copies and pools of a run from its plan.
 *
 * <p>Threads: confined to the thread that starts the run.
 */
final class Assembly {
    private final RunContext run;
    private final RunPlan plan;
    private final BufferGrants ledger;
    private final OutputQueue output;
    private final Courier courier;
    private final List<Stage> stages = new ArrayList<>();
    private final List<TaskInstance> copies = new ArrayList<>();
    private final PipelineTimes times;

    Assembly(RunContext run, OutputQueue output) {
        this.run = run;
        this.plan = run.plan();
        this.ledger = run.ledger();
        this.output = output;
        this.courier = new Courier(run.workers());
        this.times = new PipelineTimes(plan.pipelines(), run.workers().trace()::nanoTime);
    }

    RunParts build() {
        List<List<CopyInfo>> infos = // throws if a device is missing, so before any allocation
                plan.stages().stream().map(run.submissions()::copies).toList();
        allocatePools();
        List<StageSetup> setups = new ArrayList<>();
        for (int i = 0; i < plan.stages().size(); i++) {
            setups.add(setup(i, infos.get(i)));
        }
        for (List<Integer> members : plan.cycles()) {
            Cycle cycle = new Cycle();
            members.forEach(member -> setups.get(member).cycle = cycle);
        }
        for (int i = 0; i < plan.pools().size(); i++) {
            if (plan.pools().get(i).isBound()) {
                setups.get(plan.pools().get(i).consumer())
                        .slots
                        .add(ledger.pools().get(i));
            }
        }
        Placing placing = new Placing(plan, setups, ledger.pools());
        placing.place();
        setups.forEach(setup -> stages.add(new Stage(setup, ledger)));
        placing.connect(stages);
        Input input = input();
        plan.pipelines().forEach(this::connect);
        for (Stage stage : stages) {
            buildCopies(stage);
        }
        return new RunParts(
                plan, List.copyOf(stages), List.copyOf(copies), courier, input, output, ledger, run.loans(), times);
    }

    private StageSetup setup(int number, List<CopyInfo> infos) {
        StagePlan stage = plan.stages().get(number);
        boolean isRouted = stage.options().submitting().sizes() != null;
        StageSetup setup = new StageSetup(
                stage,
                infos,
                needsOf(stage),
                new BusyTime(run.workers().trace()::nanoTime, times.around(number)),
                (item, problem) -> run.life().raise(stage.name(), StageSetup.userCode(stage.options()), item, problem));
        setup.routing = isRouted ? run.submissions().routing(plan.graph() + "/" + stage.name(), infos) : null;
        return setup;
    }

    private Input input() {
        InputFeeds feeds = new InputFeeds(connect(null, plan.inputs(), 1), plan.inputForks(), ledger);
        return new Input(feeds, plan.inputBound(), run.life().broken);
    }

    /** Connects the stage that distributes the items of a pipeline with the stages of its copies. */
    private void connect(PipelinePlan pipeline) {
        if (pipeline.distributor() < 0) {
            return;
        }
        Stage distributor = stages.get(pipeline.distributor());
        distributor.setup.loads = pipeline.copies().stream()
                .map(copy -> stages.subList(copy.stages().from(), copy.stages().end())
                        .toArray(Stage[]::new))
                .toArray(Stage[][]::new);
        Stage[] next = Arrays.stream(StagePlan.consumers(distributor.setup.plan.outlets()))
                .filter(to -> to >= 0)
                .mapToObj(stages::get)
                .toArray(Stage[]::new);
        distributor.setup.entries = next;
        for (Stage entry : next) { // pipelines come after the pipelines around them
            entry.setup.isRoomAwaited |= distributor.setup.isRoomAwaited;
        }
    }

    private void allocatePools() {
        for (RunPlan.PoolPlan planned : plan.pools()) {
            try {
                Pool pool = planned.isBound()
                        ? Pool.ofSlots(planned.name(), planned.edge())
                        : pool(planned.name(), planned.edge());
                ledger.add(pool);
                pool.allocateAll();
            } catch (Throwable t) {
                Suppressed.addAll(t, run.loans().freeAll());
                throw new FlowFailedException(plan.graph(), planned.name(), -1, "allocate", null, t, null);
            }
        }
    }

    private Pool pool(String name, MemoryEdge<?> edge) {
        if (edge instanceof SizedEdge<?> sized) {
            return sized.lendsData()
                    ? new Pool(
                            name,
                            edge,
                            run.submissions().data(name, null),
                            (_, by) -> run.submissions().allocate(name, (Layout) Objects.requireNonNull(by)))
                    : new Pool(
                            name,
                            edge,
                            edge.allocator(),
                            (bytes, _) -> sized.sizedAllocator().allocate(bytes));
        }
        Layout layout = edge.layout();
        return new Pool(
                name,
                edge,
                layout == null ? edge.allocator() : run.submissions().data(name, layout));
    }

    private BufferNeed[] needsOf(StagePlan stage) {
        List<BufferNeed> needs = new ArrayList<>();
        stage.memory().needs().forEach((number, count) -> {
            Pool pool = ledger.pools().get(number);
            needs.add(new BufferNeed(pool, count, stage.memory().bytesOf(number)));
        });
        return needs.toArray(BufferNeed[]::new);
    }

    private void buildCopies(Stage stage) {
        StagePlan planned = stage.setup.plan;
        ItemSink[][] targets = connect(stage, planned.outlets(), planned.copies());
        addSlots(planned, targets);
        for (CopyInfo info : stage.setup.copies) {
            TaskInstance copy = new TaskInstance(run, courier, stage, info, targets);
            copies.add(copy);
            stage.setup.instances.add(copy);
        }
    }

    private ItemSink[][] connect(@Nullable Stage from, List<int[]> outlets, int producers) {
        ItemSink[][] targets = new ItemSink[outlets.size()][];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = Arrays.stream(outlets.get(i))
                    .mapToObj(to -> connect(from, to, producers))
                    .toArray(ItemSink[]::new);
        }
        return targets;
    }

    /** Lets items on bounded edges go through the slots of the edge. */
    private void addSlots(StagePlan planned, ItemSink[][] targets) {
        for (int i = 0; i < targets.length; i++) {
            for (int j = 0; j < targets[i].length; j++) {
                int slots = planned.memory().slotsOf(i, j);
                if (slots != MemoryUse.NO_POOL && targets[i][j] instanceof Stage stage) {
                    targets[i][j] = new Slotted.Sink(stage, ledger.pools().get(slots));
                }
            }
        }
    }

    private ItemSink connect(@Nullable Stage from, int to, int producers) {
        if (to == RunPlan.OUTPUT) {
            return output;
        }
        if (to == RunPlan.NOWHERE) {
            return Nowhere.SINK;
        }
        Stage stage = stages.get(to);
        stage.addProducers(producers);
        stage.setup.isRoomAwaited |= from == null && plan.inputBound() > 0;
        Cycle cycle = stage.cycle();
        if (cycle != null && (from == null || from.cycle() != cycle)) {
            cycle.take(producers);
        }
        return stage;
    }
}

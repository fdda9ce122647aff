package dev.jacquard.bench.streams;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A million items through three stages. */
final class Pipeline extends Workload {
    /** Stages, and edges: one leads to each. */
    static final int STAGES = 3;
    /** The number of items that may wait at an edge, where the system bounds it. */
    static final int BOUND = 1024;

    private static final int ITEMS = 1_000_000;
    private static final int QUICK_ITEMS = 20_000;

    Pipeline() {
        super("flow.pipeline3", "ns/item/edge", new Rounds(0, 1), new Rounds(3, 9));
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return plan.includes(OneTbb.SYSTEM) ? OneTbb.absences() : List.of();
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        int items = plan.quick() ? QUICK_ITEMS : ITEMS;
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(JacquardStages.shared(workers, items, plan.clock()));
        }
        contenders.add(JacquardStages.dedicated(items, plan.clock()));
        contenders.add(new BlockingQueueStages(items, plan.clock()));
        contenders.add(new DisruptorStages(items, plan.clock()));
        contenders.add(new SequentialStages(items, plan.clock()));
        if (plan.includes(OneTbb.SYSTEM) && OneTbb.isPresent()) {
            for (int workers : plan.workers()) {
                contenders.add(new OneTbbStages(workers, items));
            }
        }
        return contenders;
    }
}

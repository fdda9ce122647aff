package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Workload.Contender;
import java.util.Map;

/** The parts that all contenders share: the items, and a last stage that checks their order. */
abstract sealed class StageContender extends Contender
        permits JacquardStages, BlockingQueueStages, DisruptorStages, SequentialStages {
    /** Few objects for many items, so that queues are measured and not the memory of the items. */
    private static final int DISTINCT = 1 << 10;

    private static final Integer[] ITEMS = items();

    private final int items;
    private final Clock clock;

    StageContender(String system, int workers, int items, Clock clock) {
        super(system, workers);
        this.items = items;
        this.clock = clock;
    }

    private static Integer[] items() {
        Integer[] items = new Integer[DISTINCT];
        for (int i = 0; i < items.length; i++) {
            items[i] = i;
        }
        return items;
    }

    /** Item number {@code number}. */
    static Integer item(int number) {
        return ITEMS[number & (DISTINCT - 1)];
    }

    /**
     * Sends {@code count} items through all stages; returns when the last has been through, with the observations of
     * the last stage.
     */
    abstract LastStage stream(int count) throws Exception;

    @Override
    public final Map<String, Double> round() throws Exception {
        long start = clock.nanoTime();
        LastStage last = stream(items);
        long nanos = clock.nanoTime() - start;
        verify(last.sawInOrder(items), "the number or the order of the items");
        return Map.of(MAIN, nanos / (double) items / Pipeline.STAGES);
    }

    /**
     * Checks items as they come. Confined to the thread that runs the last stage, then read by the contender's thread.
     */
    static final class LastStage {
        private int seen;
        private int wrong;

        void accept(int item) {
            wrong |= item ^ (seen++ & (DISTINCT - 1));
        }

        boolean sawInOrder(int items) {
            return seen == items && wrong == 0;
        }
    }
}

package dev.jacquard.bench.streams;

import dev.jacquard.base.clock.Clock;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A platform thread per stage, and a bounded queue before each. */
final class BlockingQueueStages extends StageContender {
    BlockingQueueStages(int items, Clock clock) {
        super("arrayblockingqueue", Pipeline.STAGES + 1, items, clock);
    }

    @Override
    LastStage stream(int count) throws InterruptedException {
        BlockingQueue<Integer> toFirst = new ArrayBlockingQueue<>(Pipeline.BOUND);
        BlockingQueue<Integer> toSecond = new ArrayBlockingQueue<>(Pipeline.BOUND);
        BlockingQueue<Integer> toThird = new ArrayBlockingQueue<>(Pipeline.BOUND);
        LastStage last = new LastStage();
        Thread first = start(() -> forward(toFirst, toSecond, count));
        Thread second = start(() -> forward(toSecond, toThird, count));
        Thread third = start(() -> {
            for (int number = 0; number < count; number++) {
                last.accept(toThird.take());
            }
        });
        for (int number = 0; number < count; number++) {
            toFirst.put(item(number));
        }
        first.join();
        second.join();
        third.join();
        return last;
    }

    private static void forward(BlockingQueue<Integer> from, BlockingQueue<Integer> to, int count)
            throws InterruptedException {
        for (int number = 0; number < count; number++) {
            to.put(from.take());
        }
    }

    private static Thread start(Stage stage) {
        return Thread.ofPlatform().start(() -> {
            try {
                stage.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // does not happen; else the count is wrong and tells
            }
        });
    }

    @FunctionalInterface
    private interface Stage {
        void run() throws InterruptedException;
    }
}

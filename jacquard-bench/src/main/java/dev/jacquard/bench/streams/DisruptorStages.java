package dev.jacquard.bench.streams;

import com.lmax.disruptor.EventHandler;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import com.lmax.disruptor.dsl.Disruptor;
import com.lmax.disruptor.dsl.ProducerType;
import dev.jacquard.base.clock.Clock;
import java.util.concurrent.CountDownLatch;

/**
 * LMAX Disruptor: one ring, a handler thread per stage, each after the one before. Its threads yield while they wait,
 * so they live for one round only, not to take the processor from others.
 */
final class DisruptorStages extends StageContender {
    DisruptorStages(int items, Clock clock) {
        super("disruptor", Pipeline.STAGES + 1, items, clock);
    }

    @Override
    LastStage stream(int count) throws InterruptedException {
        Disruptor<Slot> disruptor = new Disruptor<>(
                Slot::new,
                Pipeline.BOUND,
                Thread.ofPlatform().factory(),
                ProducerType.SINGLE,
                new YieldingWaitStrategy());
        LastStage last = new LastStage();
        CountDownLatch over = new CountDownLatch(1);
        EventHandler<Slot> first = (slot, sequence, batchEnds) -> slot.afterFirst = slot.item;
        EventHandler<Slot> second = (slot, sequence, batchEnds) -> slot.afterSecond = slot.afterFirst;
        EventHandler<Slot> third = (slot, sequence, batchEnds) -> {
            last.accept(slot.afterSecond);
            if (sequence == count - 1L) {
                over.countDown();
            }
        };
        disruptor.handleEventsWith(first).then(second).then(third);
        RingBuffer<Slot> ring = disruptor.start();
        for (int number = 0; number < count; number++) {
            long sequence = ring.next();
            ring.get(sequence).item = item(number);
            ring.publish(sequence);
        }
        over.await();
        disruptor.shutdown();
        return last;
    }

    /** An entry of the ring; each field is written by one stage and read by the next. */
    private static final class Slot {
        private Integer item = 0;
        private Integer afterFirst = 0;
        private Integer afterSecond = 0;
    }
}

package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertSame;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.device.link.LinkTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The newest write that overlaps a box is the one that going through all writes finds. */
class LiveWritesTest {
    private static final int EXTENT = 400;

    private record Write(long number, Box box, AccessPlan plan) {}

    private static Box draw(SplittableRandom random, int largest) {
        if (random.nextInt(8) == 0) {
            return Box.whole(EXTENT);
        }
        long from = random.nextInt(EXTENT);
        return Box.of(new long[] {from}, new long[] {Math.min(EXTENT, from + 1 + random.nextInt(largest))});
    }

    private static @Nullable AccessPlan newest(List<Write> live, Box box, long before, @Nullable AccessPlan reader) {
        AccessPlan newest = null;
        for (Write write : live) {
            if (write.number < before && write.plan != reader && write.box.intersects(box)) {
                newest = write.plan;
            }
        }
        return newest;
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "4, 3", "20, 40", "4, 400"})
    void findsWhatAListFinds(int writesOfAPlan, int largest) {
        try (Coherence coherence = coherence()) {
            for (long seed = 0; seed < 20; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                LiveWrites writes = new LiveWrites();
                List<Write> live = new ArrayList<>();
                List<AccessPlan> plans = new ArrayList<>();
                long number = 0;
                for (int step = 0; step < 300; step++) {
                    if (random.nextInt(3) > 0 || live.isEmpty()) {
                        AccessPlan plan = (AccessPlan) coherence.plan("task", "", AccessList.of(), Place.HOST);
                        plans.add(plan);
                        for (int i = 0; i < writesOfAPlan; i++) {
                            Write write = new Write(++number, draw(random, largest), plan);
                            writes.add(write.number, write.box, plan);
                            live.add(write);
                        }
                    } else {
                        Write write = live.remove(random.nextInt(live.size()));
                        writes.remove(write.number);
                        writes.remove(write.number);
                    }
                    Box box = draw(random, largest);
                    long before = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(number + 2);
                    AccessPlan reader = random.nextBoolean() ? null : plans.get(random.nextInt(plans.size()));
                    assertSame(newest(live, box, before, reader), writes.newest(box, before, reader), "seed " + seed);
                    AccessPlan last = plans.getLast();
                    assertSame(newest(live, box, before, last), writes.newest(box, before, last), "seed " + seed);
                }
            }
        }
    }

    private static Coherence coherence() {
        return new Coherence(
                new Limits(Long.MAX_VALUE, List.of(), List.of(), CachePolicy.leastRecentlyUsed(), LinkTable.empty()),
                Map.of(),
                (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
                new Trace(Clock.system(), 0),
                new TimeModel());
    }
}

package dev.jacquard.bench.devices;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.coherence.Coherence;
import dev.jacquard.memory.coherence.Limits;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.link.LinkTable;
import dev.jacquard.memory.residency.DataClaim;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** The cost of finding that data is where a task runs, and of giving it back: per handle, with eight to a task. */
final class ValidData extends Workload {
    private static final int HANDLES = 8;
    private static final int CLAIMS = 200_000;
    private static final int QUICK_CLAIMS = 2_000;

    ValidData() {
        super("coherence.hit", "ns/handle", new Rounds(0, 3), new Rounds(20, 21));
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        return List.of(new Claims(plan.clock(), plan.quick() ? QUICK_CLAIMS : CLAIMS));
    }

    private static final class Claims extends Contender {
        private final Clock clock;
        private final int claims;
        private final AccessList accesses;
        private final Coherence coherence = new Coherence(
                new Limits(Long.MAX_VALUE, List.of(), List.of(), CachePolicy.leastRecentlyUsed(), LinkTable.empty()),
                Map.of(),
                (name, body) -> {
                    throw new IllegalStateException("nothing here needs a thread");
                },
                new Trace(Clock.system(), 0),
                new TimeModel());

        Claims(Clock clock, int claims) {
            super("jacquard", 1);
            this.clock = clock;
            this.claims = claims;
            AccessList.Builder all = AccessList.builder();
            for (int i = 0; i < HANDLES; i++) {
                Layout layout = Layout.of(DataType.FLOAT64, 100);
                all.add(
                        new Data("x" + i, this, layout, MemorySegment.ofArray(new double[100])),
                        i == 0 ? Access.update() : Access.read());
            }
            this.accesses = all.build();
        }

        @Override
        public Map<String, Double> round() {
            int there = 0;
            long start = clock.nanoTime();
            for (int i = 0; i < claims; i++) {
                DataClaim claim = coherence.claim("task", coherence.footprint(accesses), Place.HOST, null, false);
                if (claim.begin(() -> {})) {
                    there++;
                }
                claim.release(true);
            }
            long nanos = clock.nanoTime() - start;
            verify(there == claims && coherence.transfers().copies() == 0, "what was moved");
            return Map.of(MAIN, nanos / ((double) claims * HANDLES));
        }

        @Override
        public void close() {
            coherence.close();
        }
    }
}

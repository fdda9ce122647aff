package dev.jacquard.core.stress;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.coherence.Coherence;
import dev.jacquard.memory.coherence.Limits;
import dev.jacquard.memory.coherence.ReplicaLocations;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.link.LinkTable;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The claim that the runs of a compiled graph keep, against threads that look where its data is. */
public class RunClaimRaces {
    private static final TimeModel TIMES = new TimeModel();

    /**
     * A run takes up the claim of the run before, or makes another, while a thread recalls it: each run counts one, and
     * no claim is given back twice.
     */
    @JCStressTest
    @Outcome(id = "4, 4, 0", expect = Expect.ACCEPTABLE, desc = "each run counts one, and in the end none has the data")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a run is lost or fails, or a claim is lost or given back twice")
    @State
    public static class RunAgainstLook {
        private final Coherence coherence = new Coherence(
                new Limits(Long.MAX_VALUE, List.of(), List.of(), CachePolicy.leastRecentlyUsed(), LinkTable.empty()),
                Map.of(),
                (name, body) -> Thread.ofPlatform().daemon().name(name).start(body),
                new Trace(Clock.system(), 0),
                TIMES);
        private final Actors actors = new Actors(new DependencyDomain.Options(
                false, List.of(), null, coherence, DependencyDomain.Options.NONE.warnings()));
        private final double[] home = new double[1];
        private final Data x = new Data("x", Actors.class, Layout.of(DataType.FLOAT64, 1), MemorySegment.ofArray(home));
        private final CompiledGraph graph;
        private final AtomicInteger well = new AtomicInteger();

        public RunAgainstLook() {
            CompiledGraphBuilder builder =
                    new CompiledGraphBuilder("count", Actors.class, actors, coherence, actors.domain, null);
            builder.task("count", context -> context.memory(x).setDouble(0, home[0] + 1), a -> a.updates(x));
            graph = builder.build();
            actors.is(0);
            start();
            actors.release().run(actors.actor());
            start();
        }

        private void start() {
            graph.start((worker, failure) -> well.addAndGet(failure == null ? 1 : 0));
        }

        @Actor
        public void run() {
            actors.is(0);
            start();
        }

        @Actor
        public void look() {
            coherence.whereabouts(x);
        }

        @Arbiter
        public void result(III_Result result) {
            actors.is(1);
            start();
            ReplicaLocations.Held its = coherence.whereabouts(x).replicas().getFirst();
            result.r1 = (int) home[0];
            result.r2 = well.get();
            result.r3 = its.users();
        }
    }
}

package dev.jacquard.core.stress;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.OverlapRule;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.engine.work.Node;
import dev.jacquard.memory.residency.Staging;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The turns and places of runs of one compiled graph: a displaced run against the run that has its turn. */
public class RunRaces {
    /** How a run ended, as a digit: of several runs that end, the sum. */
    private static final int WELL = 1;

    private static final int CANCELLED = 10;
    private static final int FAILED = 100;

    /**
     * A run that waits for its place, and has lost its turn to one inside of another graph. Its place is there when
     * {@link #place} is run; the other ends when {@link #last} is run. Each adds one to {@code x}.
     */
    private static final class Displaced {
        /** Asked by what stands for a run, though there is no data. */
        private static final Staging NONE = (Staging) Proxy.newProxyInstance(
                Staging.class.getClassLoader(), new Class<?>[] {Staging.class}, (staging, method, arguments) -> false);

        final Actors actors = new Actors(
                new DependencyDomain.Options(false, List.of(), null, NONE, DependencyDomain.Options.NONE.warnings()));
        final CompiledGraph graph;
        final Node last;
        final Node place;
        private final AtomicInteger displaced = new AtomicInteger();
        private final AtomicInteger other = new AtomicInteger();

        Displaced() {
            actors.is(0);
            CompiledGraphBuilder builder = builder("g").whenBusy(OverlapRule.QUEUE);
            builder.task("task", context -> actors.x.value()[0]++, a -> a.updates(actors.x));
            graph = builder.build();
            CompiledGraphBuilder around = builder("around");
            around.graph("inside", graph);
            CompiledGraph outer = around.build();
            actors.graph.task("before").updates(actors.x).run(context -> {});
            Node before = actors.held.removeFirst();
            graph.start((worker, failure) -> displaced.addAndGet(howEnded(failure)));
            outer.startUnordered((worker, failure) -> other.addAndGet(howEnded(failure)));
            actors.held.removeFirst().run(actors.actor()); // starts the run inside
            last = actors.held.removeFirst();
            before.run(actors.actor());
            place = actors.release();
        }

        private CompiledGraphBuilder builder(String name) {
            return new CompiledGraphBuilder(name, Actors.class, actors, null, actors.domain, null);
        }

        private static int howEnded(@Nullable RuntimeException failure) {
            return failure == null ? WELL : failure instanceof CancellationException ? CANCELLED : FAILED;
        }

        /** Looks at what has run, and runs the graph again. */
        void look(III_Result result) {
            actors.is(3);
            int ran = actors.x.value()[0];
            result.r1 = ran;
            result.r2 = other.get() == 0 ? -1 : displaced.get();
            AtomicInteger again = new AtomicInteger();
            graph.start((worker, failure) -> again.addAndGet(howEnded(failure)));
            result.r3 = again.get() + actors.x.value()[0] - ran;
        }
    }

    /**
     * The monitor of the turns, which the place of a displaced run and the end of the run that has its turn both take:
     * one of the two starts it, and not the other.
     */
    @JCStressTest
    @Outcome(id = "2, 1, 2", expect = Expect.ACCEPTABLE, desc = "runs once, behind the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "does not start, starts twice, or beside the other")
    @State
    public static class PlaceAgainstEnd {
        private final Displaced run = new Displaced();

        @Actor
        public void placed() {
            run.place.run(run.actors.is(0));
        }

        @Actor
        public void ending() {
            run.last.run(run.actors.is(1));
        }

        @Arbiter
        public void look(III_Result result) {
            run.look(result);
        }
    }

    /**
     * The same, behind a cancel: the displaced run, which has no turn, or has it back, is cancelled; the next is not.
     */
    @JCStressTest
    @Outcome(id = "0, 10, 2", expect = Expect.ACCEPTABLE, desc = "both are cancelled")
    @Outcome(id = "1, 10, 2", expect = Expect.ACCEPTABLE, desc = "the other has run before")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one does not end, or the cancel meets the wrong runs")
    @State
    public static class CancelAndPlaceAgainstEnd {
        private final Displaced run = new Displaced();

        @Actor
        public void cancelled() {
            run.actors.is(0);
            run.graph.cancel();
            run.place.run(run.actors.actor());
        }

        @Actor
        public void ending() {
            run.last.run(run.actors.is(1));
        }

        @Arbiter
        public void look(III_Result result) {
            run.look(result);
        }
    }

    /**
     * The flags of both runs, which the end of each clears, against a cancel: it meets those that are in flight, and no
     * other.
     */
    @JCStressTest
    @Outcome(id = "0, 10, 2", expect = Expect.ACCEPTABLE, desc = "both are cancelled")
    @Outcome(id = "1, 10, 2", expect = Expect.ACCEPTABLE, desc = "the other has run before")
    @Outcome(id = "2, 10, 2", expect = Expect.ACCEPTABLE, desc = "both have run, the displaced one is not over")
    @Outcome(id = "2, 1, 2", expect = Expect.ACCEPTABLE, desc = "both are over")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one does not end, or the next run is cancelled")
    @State
    public static class CancelAgainstEnds {
        private final Displaced run = new Displaced();

        public CancelAgainstEnds() {
            run.place.run(run.actors.is(0));
        }

        @Actor
        public void cancelled() {
            run.actors.is(0);
            run.graph.cancel();
        }

        @Actor
        public void ending() {
            run.last.run(run.actors.is(1));
        }

        @Arbiter
        public void look(III_Result result) {
            run.look(result);
        }
    }
}

package dev.jacquard.core.stress;

import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.engine.work.Node;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Several submitters, refinement, demotion, barriers, exclusion and stages: what is done to a task against what it
 * does. Every actor is a worker of its own, and runs at once what becomes ready where it is.
 */
public class ProtocolRaces {
    /** The scope's lock, of two submitters, of which one ends what both come after. */
    @JCStressTest
    @Outcome(id = "2, 9", expect = Expect.ACCEPTABLE, desc = "both run once, one after the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost, runs twice, or beside another")
    @State
    public static class SubmissionAgainstSubmission {
        private final Actors actors = new Actors();
        private final AtomicInteger ran = new AtomicInteger();
        private final Node earlier;

        public SubmissionAgainstSubmission() {
            actors.graph.task("earlier").updates(actors.x).run(context -> context.get(actors.x)[0] = 7);
            earlier = actors.release();
        }

        private void submit() {
            actors.graph.task("later").updates(actors.x).run(context -> {
                context.get(actors.x)[0]++;
                ran.incrementAndGet();
            });
        }

        @Actor
        public void one() {
            actors.is(0);
            submit();
        }

        @Actor
        public void other() {
            earlier.run(actors.is(1));
            submit();
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = ran.get();
            result.r2 = actors.x.value()[0];
        }
    }

    /** The count of what a refined task waits for: its last sub-task against its body. */
    @JCStressTest
    @Outcome(id = "1, 1, 7", expect = Expect.ACCEPTABLE, desc = "ends once, behind both")
    @Outcome(expect = Expect.FORBIDDEN, desc = "does not end, ends twice, or too early")
    @State
    public static class LastSubTaskAgainstBody {
        private static final int TURNS = 1_000;

        private final Actors actors = new Actors();
        private final AtomicReference<@Nullable Node> part = new AtomicReference<>();
        private final AtomicInteger parts = new AtomicInteger();
        private final AtomicInteger ran = new AtomicInteger();
        private final Node whole;
        private int seen;

        public LastSubTaskAgainstBody() {
            actors.graph.task("whole").updates(actors.x).run(context -> {
                actors.holding = true;
                context.refine(sub -> sub.task("part").updates(actors.x).run(c -> {
                    c.get(actors.x)[0] = 7;
                    parts.incrementAndGet();
                }));
                part.set(actors.release());
            });
            actors.graph.task("next").reads(actors.x).run(context -> {
                seen = context.get(actors.x)[0];
                ran.incrementAndGet();
            });
            whole = actors.release();
        }

        @Actor
        public void worker() {
            whole.run(actors.is(0));
        }

        @Actor
        public void other() {
            for (int turn = 0; turn < TURNS; turn++) {
                if (runPart(1)) {
                    return;
                }
                Thread.onSpinWait();
            }
        }

        private boolean runPart(int as) {
            Node node = part.getAndSet(null);
            if (node != null) {
                node.run(actors.is(as));
            }
            return node != null;
        }

        @Arbiter
        public void look(III_Result result) {
            runPart(2);
            result.r1 = parts.get();
            result.r2 = ran.get();
            result.r3 = seen;
        }
    }

    /** The hold on a pending task against the countdown that makes it ready: a demotion is refused or takes effect. */
    @JCStressTest
    @Outcome(id = "1, 1, 7", expect = Expect.ACCEPTABLE, desc = "both run once, behind what they waited for")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost, runs twice, or too early")
    @State
    public static class DemotionAgainstReady {
        private final Actors actors = new Actors();
        private final AtomicInteger ran = new AtomicInteger();
        private final AtomicInteger read = new AtomicInteger();
        private final Task<?> pending;
        private final Node earlier;
        private int seen;

        public DemotionAgainstReady() {
            actors.graph.task("earlier").updates(actors.x).run(context -> context.get(actors.x)[0] = 7);
            pending =
                    actors.graph.task("pending").updates(actors.x).adjustable().run(context -> ran.incrementAndGet());
            actors.graph.task("reader").reads(actors.x).run(context -> {
                seen = context.get(actors.x)[0];
                read.incrementAndGet();
            });
            earlier = actors.release();
        }

        @Actor
        public void worker() {
            earlier.run(actors.is(0));
        }

        @Actor
        public void other() {
            actors.is(1);
            pending.tryDemote(actors.x, Access.none());
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = ran.get();
            result.r2 = read.get();
            result.r3 = seen;
        }
    }

    /**
     * The hold on a pending task against the countdown that makes it ready: a refinement is refused or is a part of it.
     */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "refused: it was ready")
    @Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "a part of it, which the next waits for")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost, runs twice, or too early")
    @State
    public static class RefinementAgainstReady {
        private final Actors actors = new Actors();
        private final AtomicInteger ran = new AtomicInteger();
        private final AtomicInteger parts = new AtomicInteger();
        private final AtomicInteger next = new AtomicInteger();
        private final Task<?> pending;
        private final Node earlier;
        private boolean refined;

        public RefinementAgainstReady() {
            actors.graph.task("earlier").updates(actors.x).run(context -> {});
            pending =
                    actors.graph.task("pending").updates(actors.x).adjustable().run(context -> ran.incrementAndGet());
            actors.graph.task("next").updates(actors.x).run(context -> next.incrementAndGet());
            earlier = actors.release();
        }

        @Actor
        public void worker() {
            earlier.run(actors.is(0));
        }

        @Actor
        public void other() {
            actors.is(1);
            pending.tryRefine(sub -> {
                refined = true;
                sub.task("part").updates(actors.x).run(context -> parts.incrementAndGet());
            });
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = ran.get();
            result.r2 = refined == (parts.get() == 1) ? parts.get() : -1;
            result.r3 = next.get();
        }
    }

    /**
     * A gate's volatile write against the fence in the end of the last task that it waits for: one of the two opens it.
     */
    @JCStressTest
    @Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "opens once, behind the end")
    @Outcome(expect = Expect.FORBIDDEN, desc = "stays shut, opens twice, or too early")
    @State
    public static class GateAgainstEnd {
        private final Actors actors = new Actors();
        private final AtomicInteger ran = new AtomicInteger();
        private final Node earlier;
        private int seen;

        public GateAgainstEnd() {
            actors.graph.task("earlier").run(context -> actors.x.value()[0] = 7);
            earlier = actors.release();
        }

        @Actor
        public void worker() {
            earlier.run(actors.is(0));
        }

        @Actor
        public void submitter() {
            actors.is(1);
            actors.graph.task("barrier").flag(Flag.SYNCHRONIZING).run(context -> {
                seen = actors.x.value()[0];
                ran.incrementAndGet();
            });
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = ran.get();
            result.r2 = seen;
        }
    }

    /** The counts of two ends against each other's look for gates: the later of them opens. */
    @JCStressTest
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "opens once, behind both")
    @Outcome(expect = Expect.FORBIDDEN, desc = "stays shut, opens twice, or too early")
    @State
    public static class EndAgainstEndBeforeGate {
        private final Actors actors = new Actors();
        private final AtomicInteger ran = new AtomicInteger();
        private final Handle<int[]> y = new Handle<>("y", Actors.class, new int[1]);
        private final Node left;
        private final Node right;
        private int seen;

        public EndAgainstEndBeforeGate() {
            actors.graph.task("left").run(context -> actors.x.value()[0] = 1);
            actors.graph.task("right").run(context -> y.value()[0] = 1);
            actors.graph.task("barrier").flag(Flag.SYNCHRONIZING).run(context -> {
                seen = actors.x.value()[0] + y.value()[0];
                ran.incrementAndGet();
            });
            left = actors.release();
            right = actors.release();
        }

        @Actor
        public void oneWorker() {
            left.run(actors.is(0));
        }

        @Actor
        public void otherWorker() {
            right.run(actors.is(1));
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = ran.get();
            result.r2 = seen;
        }
    }

    /** A request for an unordered resource against its release: it is granted once, by the one or the other. */
    @JCStressTest
    @Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "both hold once, one after the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one is lost, runs twice, or beside the other")
    @State
    public static class RequestAgainstRelease {
        private final Actors actors = new Actors();
        private final Resource free = new Resource("free", Actors.class, null, true);
        private final AtomicInteger ran = new AtomicInteger();
        private final Node one;
        private final Node other;

        public RequestAgainstRelease() {
            submit();
            submit();
            one = actors.release();
            other = actors.release();
        }

        private void submit() {
            actors.graph.task("holder").updates(free).run(context -> {
                actors.x.value()[0]++;
                ran.incrementAndGet();
            });
        }

        @Actor
        public void oneWorker() {
            one.run(actors.is(0));
        }

        @Actor
        public void otherWorker() {
            other.run(actors.is(1));
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = ran.get();
            result.r2 = actors.x.value()[0];
        }
    }

    /**
     * The CAS of who wants to be told against the getAndSet of the end: told by the one or the other, with the value.
     */
    @JCStressTest
    @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "complete, with the value")
    @Outcome(expect = Expect.FORBIDDEN, desc = "never complete, or without the value")
    @State
    public static class StageAgainstEnd {
        private final Actors actors = new Actors();
        private final Task<Integer> result;
        private final Node task;
        private @Nullable CompletableFuture<Integer> stage;

        public StageAgainstEnd() {
            result = actors.graph.task("task").call(context -> 7);
            task = actors.release();
        }

        @Actor
        public void worker() {
            task.run(actors.is(0));
        }

        @Actor
        public void other() {
            stage = result.stage().toCompletableFuture();
        }

        @Arbiter
        public void look(I_Result seen) {
            seen.r1 = stage == null ? -1 : stage.getNow(-2);
        }
    }
}

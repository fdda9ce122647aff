package dev.jacquard.core.stress;

import dev.jacquard.core.graph.DependencyDomain;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.engine.work.Node;
import dev.jacquard.memory.data.Handle;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Submission against the end of an earlier task, and the end of a graph against who waits for it. */
public class GraphRaces {
    /** A graph whose nodes the actors run themselves. */
    private static final class Stage extends SoleActor {
        TaskGraph graph() {
            return new TaskGraph(
                    "g",
                    new DependencyDomain(Stage.class, this, DependencyDomain.Options.NONE),
                    FailurePolicy.CONTINUE);
        }

        static Handle<int[]> handle() {
            return new Handle<>("x", Stage.class, new int[1]);
        }
    }

    /**
     * The CAS and the getAndAdd of submission against the getAndSet and the getAndAdd of an earlier task's end: the
     * later task runs once, and sees what the earlier one wrote.
     */
    @JCStressTest
    @Outcome(id = "1, 7", expect = Expect.ACCEPTABLE, desc = "runs once, behind the earlier task")
    @Outcome(expect = Expect.FORBIDDEN, desc = "is lost, runs twice, or runs too early")
    @State
    public static class SubmissionAgainstEnd {
        private final Stage stage = new Stage();
        private final Handle<int[]> x = Stage.handle();
        private final AtomicInteger ran = new AtomicInteger();
        private final Node earlier;
        private int seen;

        public SubmissionAgainstEnd() {
            stage.graph().task("earlier").updates(x).run(context -> context.get(x)[0] = 7);
            earlier = stage.release();
        }

        @Actor
        public void submitter() {
            stage.graph().task("later").reads(x).run(context -> {
                seen = context.get(x)[0];
                ran.incrementAndGet();
            });
        }

        @Actor
        public void worker() {
            earlier.run(stage.actor());
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = ran.get();
            result.r2 = seen;
        }
    }

    /**
     * The getAndAdd of one countDown against that of another, and its short cut: the last to count sees what both
     * wrote.
     */
    @JCStressTest
    @Outcome(id = "1, 10", expect = Expect.ACCEPTABLE, desc = "runs once, behind both")
    @Outcome(expect = Expect.FORBIDDEN, desc = "is lost, runs twice, or runs too early")
    @State
    public static class EndAgainstEnd {
        private final Stage stage = new Stage();
        private final Handle<int[]> x = Stage.handle();
        private final Handle<int[]> y = Stage.handle();
        private final AtomicInteger ran = new AtomicInteger();
        private final Node left;
        private final Node right;
        private int seen;

        public EndAgainstEnd() {
            TaskGraph graph = stage.graph();
            graph.task("left").updates(x).run(context -> context.get(x)[0] = 3);
            graph.task("right").updates(y).run(context -> context.get(y)[0] = 7);
            graph.task("both").reads(x).reads(y).run(context -> {
                seen = context.get(x)[0] + context.get(y)[0];
                ran.incrementAndGet();
            });
            left = stage.release();
            right = stage.release();
        }

        @Actor
        public void oneWorker() {
            left.run(stage.actor());
        }

        @Actor
        public void otherWorker() {
            right.run(stage.actor());
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = ran.get();
            result.r2 = seen;
        }
    }

    /**
     * The release of the tally's lanes against the acquire in allEnded: who finds all over sees what the tasks wrote.
     */
    @JCStressTest
    @Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "not over yet")
    @Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "over, and its result is there")
    @Outcome(expect = Expect.FORBIDDEN, desc = "over without its result")
    @State
    public static class EndAgainstWait {
        private final Stage stage = new Stage();
        private final Handle<int[]> x = Stage.handle();
        private final TaskGraph graph = stage.graph();
        private final Node task;

        public EndAgainstWait() {
            graph.task("task").updates(x).run(context -> context.get(x)[0] = 7);
            task = stage.release();
        }

        @Actor
        public void worker() {
            task.run(stage.actor());
        }

        @Actor
        public void waiter(I_Result result) {
            result.r1 = graph.isOver() ? x.value()[0] : -1;
        }
    }
}

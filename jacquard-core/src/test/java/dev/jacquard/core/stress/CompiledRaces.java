package dev.jacquard.core.stress;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.engine.work.Node;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The counters of compiled graphs: down by several workers, and back for the next pass. */
public class CompiledRaces {
    /** Two workers whose nodes the actors run themselves. */
    private static final class Stage extends SoleActor {
        CompiledGraphBuilder builder() {
            return new CompiledGraphBuilder("g", this, this);
        }

        /** Starts a run and runs its first node; what that lets go is for the actors. */
        List<Node> start(CompiledGraph graph, Runnable whenOver) {
            graph.start((worker, failure) -> whenOver.run());
            held.removeFirst().run(actor());
            while (held.size() < 2) {
                held.removeFirst().run(actor()); // a block, which leaves its halves
            }
            holding = false;
            return held;
        }
    }

    /**
     * The getAndAdd of one countDown against that of another, its short cut, and the plain write that sets the counter
     * back: the task behind both runs once per pass, and sees what both wrote.
     */
    @JCStressTest
    @Outcome(id = "2, 20", expect = Expect.ACCEPTABLE, desc = "runs once in each pass, behind both")
    @Outcome(expect = Expect.FORBIDDEN, desc = "is lost, runs twice, or runs too early")
    @State
    public static class CountAgainstCount {
        private final Stage stage = new Stage();
        private final AtomicInteger ran = new AtomicInteger();
        private final Node left;
        private final Node right;
        private int leftStamp;
        private int rightStamp;
        private int seen;

        public CountAgainstCount() {
            CompiledGraphBuilder builder = stage.builder();
            int first = builder.task("first", context -> {});
            int one = builder.task("left", context -> leftStamp += 3);
            int two = builder.task("right", context -> rightStamp += 7);
            int both = builder.repeatWhile("both", context -> {
                seen = leftStamp + rightStamp;
                return ran.incrementAndGet() == 1;
            });
            builder.edge(first, one, true);
            builder.edge(first, two, true);
            builder.edge(one, both, true);
            builder.edge(two, both, true);
            List<Node> ready = stage.start(builder.build(), () -> {});
            left = ready.get(0);
            right = ready.get(1);
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
     * The getAndAdd of a block, which counts for all of its tasks at once, against that of another, and its short cut:
     * the pass ends once, and its end sees what all tasks wrote.
     */
    @JCStressTest
    @Outcome(id = "1, 40", expect = Expect.ACCEPTABLE, desc = "ends once, behind all")
    @Outcome(expect = Expect.FORBIDDEN, desc = "does not end, ends twice, or ends too early")
    @State
    public static class BlockAgainstBlock {
        private static final int TASKS = 40;

        private final Stage stage = new Stage();
        private final AtomicInteger over = new AtomicInteger();
        private final int[] stamps = new int[TASKS];
        private final Node left;
        private final Node right;
        private int seen;

        public BlockAgainstBlock() {
            CompiledGraphBuilder builder = stage.builder();
            int first = builder.task("first", context -> {});
            for (int i = 0; i < TASKS; i++) {
                int at = i;
                builder.edge(first, builder.task("t", context -> stamps[at] = 1), true);
            }
            List<Node> ready = stage.start(builder.build(), () -> {
                seen = IntStream.of(stamps).sum();
                over.incrementAndGet();
            });
            left = ready.get(0);
            right = ready.get(1);
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
            result.r1 = over.get();
            result.r2 = seen;
        }
    }

    /**
     * The getAndAdd of two workers in one batch, and the release that opens it against a worker that still holds it
     * from the pass before: in each pass each task runs once, and the end sees what all tasks wrote.
     */
    @JCStressTest
    @Outcome(
            id = "2, 8",
            expect = Expect.ACCEPTABLE,
            desc = "each task runs once in each pass, and the end comes behind all")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a task is lost or runs twice, or the end comes too early or never")
    @State
    public static class OpenedBatchAgainstOldReference {
        private static final int TASKS = 4;

        private final Stage stage = new Stage();
        private final AtomicInteger over = new AtomicInteger();
        private final int[] stamps = new int[TASKS];
        private final Node block;
        private final Node batch;
        private int seen;

        public OpenedBatchAgainstOldReference() {
            CompiledGraphBuilder builder = stage.builder();
            for (int i = 0; i < TASKS; i++) {
                int at = i;
                builder.task("t", context -> stamps[at]++);
            }
            CompiledGraph graph = builder.build();
            graph.start((worker, failure) -> end());
            block = stage.held.removeFirst();
            block.run(stage.actor());
            batch = stage.held.removeFirst();
            stage.held.removeFirst().run(stage.actor()); // the end of the pass
            graph.start((worker, failure) -> end());
            stage.release();
        }

        private void end() {
            seen = IntStream.of(stamps).sum();
            over.incrementAndGet();
        }

        @Actor
        public void opener() {
            block.run(stage.actor());
        }

        @Actor
        public void late() {
            batch.run(stage.actor());
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = over.get();
            result.r2 = seen;
        }
    }
}

package dev.jacquard.components.run;

import dev.jacquard.components.run.HeldRun.Shape;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The counts of a parallel run, and its end: executions that end side by side, fail, and are cancelled. */
public class ProgramRaces {
    /** Two parts, and one that waits for both. */
    private static final Shape JOIN = new Shape(List.of(List.of(), List.of(), List.of(0, 1)), -1, -1);
    /** A loop from the first part to the second, with a third in it that the exit does not wait for. */
    private static final Shape LOOP = new Shape(List.of(List.of(), List.of(0), List.of(0)), 0, 1);

    /**
     * The count of the third part's sinks, and that of the block: it is executed once, and the program is over once.
     */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "both are over before the third")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the third is left out or executed twice, or the end is lost")
    @State
    public static class EndAgainstEnd {
        private final HeldRun run = new HeldRun(JOIN, false, (part, execution) -> true);
        private final Runnable first = run.next();
        private final Runnable second = run.next();

        @Actor
        public void first() {
            run.act(first);
        }

        @Actor
        public void second() {
            run.act(second);
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = run.finish() ? 1 : 0;
            result.r2 = run.executions.get(2);
            result.r3 = run.end();
        }
    }

    /** The same for threads, of which one goes on with the third. */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "both are over before the third")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the third is left out or executed twice, or the end is lost")
    @State
    public static class ThreadEndAgainstEnd {
        private final HeldRun run = new HeldRun(JOIN, true, (part, execution) -> true);
        private final Runnable first = run.next();
        private final Runnable second = run.next();

        @Actor
        public void first() {
            run.act(first);
        }

        @Actor
        public void second() {
            run.act(second);
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = run.finish() ? 1 : 0;
            result.r2 = run.executions.get(2);
            result.r3 = run.end();
        }
    }

    /**
     * The count of a pass, whose exit is over beside another part: the next pass begins once, with all of its counts,
     * and the loop is left after it.
     */
    @JCStressTest
    @Outcome(id = "1, 222, 2", expect = Expect.ACCEPTABLE, desc = "two passes")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a pass is lost, begins twice or too early, or the end is lost")
    @State
    public static class EndsOfPass {
        private final HeldRun run = new HeldRun(LOOP, false, (part, execution) -> execution == 2);
        private final Runnable exit;
        private final Runnable other;

        public EndsOfPass() {
            run.next().run();
            exit = run.next();
            other = run.next();
        }

        @Actor
        public void exit() {
            run.act(exit);
        }

        @Actor
        public void other() {
            run.act(other);
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = run.finish() ? 1 : 0;
            result.r2 = 100 * run.executions.get(0) + 10 * run.executions.get(1) + run.executions.get(2);
            result.r3 = (int) passes();
        }

        private long passes() {
            return run.passes.current(0);
        }
    }

    /** A part fails beside the end of another: the third is left out, the program is over, and says why. */
    @JCStressTest
    @Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "the third is left out")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the third is executed, or the end or the failure is lost")
    @State
    public static class FailureAgainstEnd {
        private final HeldRun run = new HeldRun(JOIN, false, FailureAgainstEnd::execute);
        private final Runnable first = run.next();
        private final Runnable second = run.next();

        private static boolean execute(int part, int execution) {
            if (part == 0) {
                throw new IllegalStateException("as the race says");
            }
            return true;
        }

        @Actor
        public void failing() {
            run.act(first);
        }

        @Actor
        public void ending() {
            run.act(second);
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = run.finish() ? 1 : 0;
            result.r2 = run.executions.get(2);
            result.r3 = run.end();
        }
    }

    /** Two parts fail at a time: the failure of one of them is the run's, which stops once. */
    @JCStressTest
    @Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "the third is left out")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the third is executed, or the end or the failure is lost")
    @State
    public static class FailureAgainstFailure {
        private final HeldRun run = new HeldRun(JOIN, true, (part, execution) -> {
            throw new IllegalStateException("as the race says");
        });
        private final Runnable first = run.next();
        private final Runnable second = run.next();

        @Actor
        public void first() {
            run.act(first);
        }

        @Actor
        public void second() {
            run.act(second);
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = run.finish() ? 1 : 0;
            result.r2 = run.executions.get(2);
            result.r3 = run.end();
        }
    }

    /**
     * The user cancels beside the last ends of a pass: the program is over, perhaps before the next one; no thread is
     * left interrupted.
     */
    @JCStressTest
    @Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "cancelled")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the end is lost, a thread is left interrupted, or it says nothing")
    @State
    public static class CancelAgainstEnds {
        private final HeldRun run = new HeldRun(LOOP, true, (part, execution) -> execution == 3);
        private final Runnable exit;
        private volatile int interrupted;

        public CancelAgainstEnds() {
            run.next().run(); // and the part beside the exit, by the same thread
            exit = run.next();
        }

        @Actor
        public void cancelling() {
            run.act(() -> {
                run.meet();
                run.users.cancel();
            });
        }

        @Actor
        public void ending() {
            run.act(exit);
            interrupted = Thread.interrupted() ? 1 : 0;
        }

        @Arbiter
        public void look(III_Result result) {
            result.r1 = run.finish() ? 1 : 0;
            result.r2 = interrupted;
            result.r3 = run.end();
        }
    }
}

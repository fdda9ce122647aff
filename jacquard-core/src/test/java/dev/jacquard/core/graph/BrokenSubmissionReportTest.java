package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The report of a submission that broke off, where the stack is full for the report itself. */
@Timeout(180)
class BrokenSubmissionReportTest {
    private static final long SMALL_STACK = 200_000;

    private static final AtomicBoolean MARK = new AtomicBoolean();

    /** Learns of the failure, and does nothing else. */
    private static final class Told implements Dispatcher {
        private @Nullable Throwable why;

        @Override
        public int workers() {
            return 1;
        }

        @Override
        public void ready(Node node) {}

        @Override
        public void awaitUntil(BooleanSupplier done) {}

        @Override
        public void signal() {}

        @Override
        public void fail(Throwable failure) {
            why = failure;
        }

        @Override
        public Trace trace() {
            throw new UnsupportedOperationException("nothing runs here");
        }
    }

    /** One broken submission, and where it is told. */
    private record Trial(BrokenSubmission broken, Told told) {
        static Trial make() {
            Told told = new Told();
            BrokenSubmission broken = new BrokenSubmission(told, List::of);
            broken.by = new StackOverflowError();
            return new Trial(broken, told);
        }
    }

    /** Fills the stack; on the way back each level has a trial, until a report has had room. */
    private static final class Descent {
        private final List<Trial> trials;
        private int used;
        private boolean fits;

        Descent(List<Trial> trials) {
            this.trials = trials;
        }

        int deeper(int level) {
            int depth = level;
            try {
                depth = level < Integer.MAX_VALUE ? deeper(level + 1) : level;
            } catch (StackOverflowError full) {
                // the trials begin here
            }
            if (!fits && used < trials.size()) {
                tryHere();
            }
            return depth;
        }

        private void tryHere() {
            try {
                trials.get(used++).broken.endRun("a submission");
                fits = true;
            } catch (StackOverflowError full) {
                // the next one has more room
            }
        }

        /** Shifts where the levels end. */
        int from(long a, long b, int pad) {
            return pad > 0 ? from(a + b, a, pad - 1) + (int) (a & 0) : deeper(0);
        }
    }

    /** Lets the JVM compile a method that a report may call: compiled it needs less of the stack than others. */
    @BeforeAll
    static void compile() {
        int set = 0;
        for (int i = 0; i < 100_000; i++) {
            set += MARK.compareAndSet((i & 1) != 0, (i & 1) == 0) ? 1 : 0;
        }
        assertEquals(100_000, set);
    }

    @Test
    void aReportThatFindsNoRoomIsMadeLater() throws Exception {
        for (int round = 0; round < 200; round++) {
            List<Trial> trials = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                trials.add(Trial.make());
            }
            int pad = round;
            Descent descent = new Descent(trials);
            CompletableFuture<Integer> depth = CompletableFuture.supplyAsync(
                    () -> descent.from(1, 1, pad),
                    task -> new Thread(null, task, "descent " + pad, SMALL_STACK).start());
            depth.get(30, TimeUnit.SECONDS);
            assertTrue(descent.fits, "no report had room");
            for (int i = 0; i < descent.used; i++) {
                trials.get(i).broken.endRun("a submission");
                assertTrue(trials.get(i).told.why != null, "told by nobody: trial " + i + " of round " + round);
            }
        }
    }
}

package dev.jacquard.core.coherence;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random programs on devices with random faults: none is wrong, none hangs. */
class RandomFaultsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** The platform's logger behind the engine's, whose module this one does not read. Kept: one that nobody holds forgets its level. */
    private static final Object LOG = logger();

    private static Object logger() {
        try {
            return Class.forName("java.util.logging.Logger")
                    .getMethod("getLogger", String.class)
                    .invoke(null, Coherence.class.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Thousands of warnings help nobody; null for the usual ones. */
    private static void logOnly(@Nullable String level) throws ReflectiveOperationException {
        Class<?> levels = Class.forName("java.util.logging.Level");
        Object its = level == null ? null : levels.getField(level).get(null);
        LOG.getClass().getMethod("setLevel", levels).invoke(LOG, its);
    }

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    private static FaultTrial.Verdict run(long seed, Path folder) throws Exception {
        FutureTask<FaultTrial.Verdict> trial = new FutureTask<>(() -> new FaultTrial(seed, folder).run());
        Thread thread = Thread.ofPlatform().daemon().name("trial " + seed).start(trial);
        try {
            return trial.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            StringBuilder text = new StringBuilder("seed " + seed + " hangs");
            Thread.getAllStackTraces().forEach((each, frames) -> {
                text.append('\n').append(each.getName());
                List.of(frames).forEach(frame -> text.append("\n    ").append(frame));
            });
            throw new AssertionError(text.toString(), e);
        } finally {
            thread.interrupt();
        }
    }

    /** What became of all. */
    private static final class Sums {
        int programs;
        int complete;
        int right;
        int named;
        int recomputed;
        long fellBack;
        int lost;
        long corrupted;

        void add(FaultTrial.Verdict one) {
            programs++;
            complete += one.named() == 0 ? 1 : 0;
            right += one.right();
            named += one.named();
            recomputed += one.recomputed();
            fellBack += one.fellBack();
            lost += one.lost();
            corrupted += one.corrupted();
        }

        @Override
        public String toString() {
            return programs + " programs, " + complete + " complete; parts: " + right + " right, " + named
                    + " named as lost; " + lost + " devices lost, " + fellBack + " tasks went elsewhere, " + recomputed
                    + " recomputations, " + corrupted + " corrupted copies";
        }
    }

    private static Sums runAll(long first, int count, Path folder) throws Exception {
        logOnly("OFF");
        Sums sums = new Sums();
        try {
            for (long seed = first; seed < first + count; seed++) {
                sums.add(run(seed, folder));
            }
        } finally {
            logOnly(null);
        }
        return sums;
    }

    @Test
    void everyProgramIsRightOrSaysWhatIsLost() throws Exception {
        Sums sums = runAll(1, 300, folder);
        assertTrue(sums.recomputed > 0 && sums.fellBack > 0 && sums.corrupted > 0, sums::toString);
        assertTrue(sums.complete > sums.programs / 5, sums::toString);
    }

    /** A campaign: the first seed, and how many. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createTempDirectory("faults");
        List<String> failures = new ArrayList<>();
        Sums sums = new Sums();
        logOnly("OFF");
        long first = Long.parseLong(arguments[0]);
        for (long seed = first; seed < first + Long.parseLong(arguments[1]); seed++) {
            try {
                sums.add(run(seed, folder));
            } catch (Exception e) {
                failures.add("seed " + seed + ": " + e);
            }
        }
        System.out.println(sums + "; " + failures.size() + " failures");
        failures.forEach(System.out::println);
    }
}

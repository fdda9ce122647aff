package dev.jacquard.core.testing.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.data.Box;
import dev.jacquard.testkit.Choices;
import dev.jacquard.testkit.Rounds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random programs whose workers and submitters one thread plays, under schedules drawn from seeds. */
class PlayedProgramsTest {
    private static final Set<Feature> PLAYED = EnumSet.of(Feature.PLAYED);

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    private static Program draw(long seed) {
        return Program.draw(
                seed, EnumSet.complementOf(EnumSet.of(Feature.FORMULAS, Feature.COMPONENTS, Feature.STREAMS)), PLAYED);
    }

    @Test
    void doWhatTheyMay() {
        Tally tally = Slice.having(PLAYED, 5_000_000, Rounds.some(1_500), List.of(), folder);
        assertTrue(tally.complete() > tally.programs() / 10, tally::toString);
    }

    /** Most tasks are to give up to overwrite before they begin, or get sub-tasks then, and many of them fail. */
    @Test
    void whosePendingTasksAreAdjustedDoWhatTheyMay() {
        Set<Feature> adjusted = EnumSet.of(Feature.PLAYED, Feature.PENDING, Feature.FAILURES, Feature.REFINE);
        Tally tally = Slice.having(adjusted, 6_000_000, Rounds.some(900), List.of(), folder);
        assertTrue(tally.complete() < tally.programs() / 2, tally::toString);
    }

    @Test
    void choicesReplayASchedule() {
        try (Runner runner = new Runner(List.of(), folder, 30)) {
            for (long seed = 0; seed < 25; seed++) {
                if (draw(seed).setting().policy().name().contains("pinned")) {
                    continue; // chooses the worker by the identity of the data, which is another one in each run
                }
                Choices drawn = draw(seed).schedule(0);
                assertEquals(List.of(), runner.run(draw(seed), drawn));
                Choices replayed = Choices.of(drawn.taken());
                assertEquals(List.of(), runner.run(draw(seed), replayed));
                assertArrayEquals(drawn.taken(), replayed.taken(), "seed " + seed);
            }
        }
    }

    /** Two tasks that write s0 and s1, of which s1 is a part of s0 or not. */
    private static Program writers(boolean related) {
        Program drawn = Program.draw(1, PLAYED, PLAYED);
        List<Store> stores = new ArrayList<>();
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            stores.add(new Store(
                    i,
                    Store.Kind.HANDLE,
                    Type.LONG,
                    Box.whole(3),
                    related && i > 0 ? 0 : -1,
                    Store.Home.ARRAY,
                    0,
                    Kinds.MODES));
            jobs.add(Job.of(100 * i, 0, 0, List.of(new Touch(i, How.UPDATE, null)), Job.Kind.BODY));
        }
        return new Program(1, drawn.setting(), stores, jobs, null);
    }

    /**
     * Runs {@code program} under some schedules, of which the check of what is ready thinks that it is {@code other};
     * returns what that says.
     */
    private String readiness(Program program, Program other) {
        Set<String> said = new TreeSet<>();
        for (int schedule = 0; schedule < 100; schedule++) {
            Played pace = new Played(program.schedule(schedule));
            Log log = new Log();
            SessionBuilder builder = program.setting().builder(List.of(), folder, 0, 0, log);
            try (Session session = pace.open(builder)) {
                Trial trial = new Trial(program, session, List.of(), log, pace, Fronts.NONE, folder);
                pace.submitAll(other, trial, session);
                trial.bodies().violations().forEach(each -> said.add(each.toString()));
                trial.forget();
            }
        }
        return said.toString();
    }

    @Test
    void sayWhoWaitsForNothingAndWhoDoesNotWait() {
        assertEquals("[]", readiness(writers(true), writers(true)));
        assertEquals(
                "[READY t100 BODY is pending, and need not wait for any task]",
                readiness(writers(true), writers(false)));
        String said = readiness(writers(false), writers(true));
        assertTrue(said.startsWith("[READY t100 BODY is ") && said.endsWith(", and has to wait for t0 BODY]"), said);
    }

    @Test
    void useNoThreadsOfTheirOwn() {
        for (long seed = 0; seed < Rounds.some(500); seed++) {
            Program program = draw(seed);
            assertTrue(program.setting().played());
            assertEquals(0, program.setting().emulated());
            assertTrue(program.all().noneMatch(job -> job.fate().limit()), program::text);
        }
    }

    @Test
    void areShrunkToTheTasksThatMatter() {
        Program program = new Random(7)
                .longs()
                .mapToObj(PlayedProgramsTest::draw)
                .filter(drawn -> drawn.jobs().size() > 15)
                .findFirst()
                .orElseThrow();
        int first = program.jobs().getFirst().id();
        int last = program.jobs().getLast().id();
        Program smallest = Shrinking.program(
                program,
                smaller -> smaller.all().anyMatch(job -> job.id() == first)
                        && smaller.all().anyMatch(job -> job.id() == last));
        assertEquals(List.of(first, last), smallest.all().map(Job::id).toList(), smallest::text);
    }

    @Test
    void areShrunkToTheChoicesThatMatter() {
        int[] many = new Random(3).ints(200, 0, 100).toArray();
        many[150] = 7;
        int[] fewest = Shrinking.choices(many, less -> Arrays.stream(less).anyMatch(choice -> choice == 7));
        assertArrayEquals(new int[] {7}, fewest);
    }
}

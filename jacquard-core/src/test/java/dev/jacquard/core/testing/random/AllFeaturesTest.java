package dev.jacquard.core.testing.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.testkit.Rounds;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs with all features. {@code scripts/campaign} runs more of them. */
class AllFeaturesTest {
    private static final int SLICES = 8;
    private static final int SEEDS = Rounds.some(480);

    @TempDir
    @SuppressWarnings("NullAway") // the framework sets it
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void doWhatTheyMay(int slice) {
        Slice.run(slice, SEEDS, SLICES, List.of(), folder);
    }

    /** Copies to the user's array fail in some of these runs, and the session says so when the data is freed. */
    @Test
    void areNotJudgedByWhatFreeCouldNotBringHome() {
        Slice.run(345_754, 300, 0, List.of(), folder);
    }

    /** A kernel is tried again, and needs memory that one behind it was to use, which the device was told ahead. */
    @Test
    void areNotHeldUpByWhatIsBehindAFailure() {
        Set<Feature> faulty = EnumSet.of(Feature.DATA, Feature.KERNELS, Feature.DEVICES, Feature.FAULTS);
        Tally _ = Slice.having(faulty, 2_000_365, 1, List.of(), folder);
    }

    /** What does not fit leaves devices, and comes back from disk. */
    @Test
    void reachTheBoundsOfMemory() {
        Set<Feature> little = EnumSet.of(Feature.DATA, Feature.KERNELS, Feature.DEVICES, Feature.MEMORY);
        Tally tally = Slice.having(little, 1_000_000, Rounds.some(450), List.of(), folder);
        assertTrue(tally.evictions("emulated0") > 0 && tally.fromDisk() > 0, tally::toString);
    }

    /** The host is weighed against devices with little memory; the runner requires that no memory is overcommitted. */
    @Test
    void weighTheHostAgainstSmallDevices() {
        Set<Feature> small = EnumSet.of(
                Feature.DATA,
                Feature.KERNELS,
                Feature.DEVICES,
                Feature.MEMORY,
                Feature.SMALL_DEVICES,
                Feature.POLICIES);
        Tally tally = Slice.under("earliest-finish", small, 3_000_000, Rounds.some(60), folder);
        assertTrue(tally.evictions("emulated0") > 0, tally::toString);
    }

    @Test
    void areTheSameForOneSeed() {
        Set<Feature> all = EnumSet.allOf(Feature.class);
        for (long seed = 0; seed < 100; seed++) {
            assertEquals(Program.draw(seed, all).text(), Program.draw(seed, all).text());
        }
    }

    /** Most tasks are kernels that name one device. */
    private static boolean isDense(Program program) {
        List<Job> jobs = program.jobs();
        return jobs.stream()
                        .filter(job -> job.kind() == Job.Kind.KERNEL)
                        .collect(Collectors.groupingBy(job -> job.where().target(), Collectors.counting()))
                        .entrySet()
                        .stream()
                        .anyMatch(each -> each.getKey() >= 0 && each.getValue() > jobs.size() / 2)
                && program.setting().emulated() > 0;
    }

    @Test
    void useAllFeatures() {
        Set<Feature> all = EnumSet.allOf(Feature.class);
        List<Program> programs = LongStream.range(0, 1_500)
                .mapToObj(seed -> Program.draw(seed, all))
                .toList();
        Set<Job.Kind> kinds =
                programs.stream().flatMap(Program::all).map(Job::kind).collect(Collectors.toSet());
        assertEquals(EnumSet.allOf(Job.Kind.class), kinds);
        for (int workers = 1; workers <= 8; workers++) {
            int count = workers;
            assertTrue(programs.stream().anyMatch(program -> program.setting().workers() == count));
        }
        List<Job> jobs = programs.stream().flatMap(Program::all).toList();
        assertTrue(jobs.stream().anyMatch(job -> !job.early().isEmpty()));
        assertTrue(jobs.stream().anyMatch(job -> !job.inside().isEmpty()));
        assertTrue(jobs.stream().anyMatch(job -> !job.demotions().isEmpty()));
        assertTrue(jobs.stream().anyMatch(job -> job.course().afterwards()));
        assertTrue(jobs.stream().anyMatch(job -> job.course().turned()));
        assertTrue(jobs.stream().anyMatch(job -> !job.more().isEmpty()));
        assertTrue(jobs.stream()
                .anyMatch(job -> job.behind().stream().anyMatch(to -> to.how().writes())));
        assertTrue(jobs.stream().anyMatch(job -> job.made().built()));
        for (boolean listens : new boolean[] {true, false}) {
            assertTrue(programs.stream()
                    .filter(program -> program.setting().listens() == listens)
                    .flatMap(Program::all)
                    .anyMatch(job -> !job.spawned().isEmpty()));
        }
        assertTrue(jobs.stream()
                .anyMatch(job -> job.kind() == Job.Kind.GRAPH && job.made().uses() > 1));
        for (Job.Kind kind : List.of(Job.Kind.BODY, Job.Kind.DRIVER, Job.Kind.ASYNC)) {
            assertTrue(jobs.stream()
                    .anyMatch(job -> job.kind() == kind && !job.demotions().isEmpty()));
        }
        assertTrue(programs.stream().filter(AllFeaturesTest::isDense).count() > programs.size() / 20);
        for (int dimensions = 1; dimensions <= 3; dimensions++) {
            int count = dimensions;
            assertTrue(programs.stream()
                    .flatMap(program -> program.stores().stream())
                    .anyMatch(store -> store.isData() && store.shape().dimensions() == count));
        }
        assertTrue(programs.stream()
                .flatMap(program -> program.stores().stream())
                .anyMatch(store -> store.gap() > 0 && store.home() != Store.Home.ENGINE));
        for (int dimensions = 1; dimensions <= 3; dimensions++) {
            int count = dimensions;
            assertTrue(programs.stream()
                    .flatMap(program -> program.stores().stream())
                    .anyMatch(store -> store.aligned() != null && store.shape().dimensions() == count));
        }
        assertTrue(programs.stream()
                .filter(program -> program.setting().tight()
                        && program.setting().disk()
                        && program.setting().emulated() > 0)
                .anyMatch(program -> program.stores().stream().anyMatch(store -> store.aligned() != null)));
        assertTrue(programs.stream()
                .filter(program -> program.setting().policy().name().equals("earliest-finish"))
                .anyMatch(program ->
                        program.setting().emulated() > 0 && program.setting().small() > 0));
        assertTrue(programs.stream().anyMatch(program -> program.setting().racing()));
        long played =
                programs.stream().filter(program -> program.setting().played()).count();
        assertTrue(played > programs.size() / 5 && played < programs.size() / 3, () -> played + " are played");
        assertTrue(jobs.stream()
                .anyMatch(job -> job.kind() == Job.Kind.KERNEL && job.where().target() == Job.Where.DEVICES));
        assertTrue(jobs.stream()
                .anyMatch(job -> job.kind() == Job.Kind.KERNEL && job.fate().retries() > 0));
        for (Kinds each : Kinds.values()) {
            assertTrue(programs.stream()
                    .flatMap(program -> program.stores().stream())
                    .anyMatch(store -> store.kinds() == each));
        }
        assertTrue(jobs.stream().anyMatch(job -> job.manner().affinity() > 0));
        assertTrue(jobs.stream().anyMatch(job -> job.manner().flag() > 0));
        assertTrue(jobs.stream().anyMatch(job -> job.manner().stage()));
        assertTrue(jobs.stream().anyMatch(job -> job.manner().loop()));
        for (Job.Kind kind : List.of(Job.Kind.BODY, Job.Kind.ASYNC)) {
            assertTrue(jobs.stream()
                    .anyMatch(job -> job.kind() == kind && job.manner().interruptible()));
        }
        assertTrue(jobs.stream()
                .anyMatch(job -> job.kind() == Job.Kind.VIEW && job.touches().size() > 1));
        assertTrue(programs.stream()
                .filter(program -> program.setting().tight() && program.holdsViews())
                .flatMap(Program::all)
                .anyMatch(Job::isRun));
        assertTrue(programs.stream().anyMatch(program -> program.setting().leaves()));
        assertEquals(
                3,
                programs.stream()
                        .map(program -> program.setting().cache().name())
                        .distinct()
                        .count());
        for (Job.Kind kind : List.of(Job.Kind.COMPILED, Job.Kind.COMPILED_RUN, Job.Kind.COMPILED_START)) {
            assertTrue(jobs.stream().anyMatch(job -> job.kind() == kind && job.isCancelledRun()));
        }
        assertTrue(programs.stream()
                .filter(Program::maySeeOthersOver)
                .flatMap(Program::all)
                .anyMatch(Job::isUnordered));
        assertTrue(jobs.stream().anyMatch(Job::isEarly));
        assertTrue(jobs.stream().anyMatch(job -> job.made().limit() > 0));
        for (Job.Kind kind : List.of(Job.Kind.FORMULA, Job.Kind.STENCIL)) {
            assertTrue(jobs.stream()
                    .filter(Job::isCompiled)
                    .flatMap(Job::inner)
                    .anyMatch(
                            job -> job.kind() == kind && job.touches().getLast().how() == How.WRITE));
        }
        useAllOfWalls(programs);
        List<Composition> composed = programs.stream()
                .map(Program::composition)
                .filter(Objects::nonNull)
                .toList();
        useAllOfComponents(composed.stream()
                .filter(one -> one.form() instanceof Components.Wiring)
                .toList());
        useAllOfStreams(composed.stream()
                .filter(one -> one.form() instanceof Streams.Shape)
                .toList());
        assertTrue(jobs.stream().anyMatch(job -> job.manner().grouped()));
        assertTrue(jobs.stream().anyMatch(job -> job.manner().named()));
        assertTrue(jobs.stream()
                .anyMatch(job -> job.manner().bound() && job.touches().size() > 1));
        assertTrue(jobs.stream().anyMatch(Pipelines::has));
        assertTrue(
                jobs.stream().anyMatch(job -> job.manner().own() && job.fate().limit()));
        assertTrue(
                jobs.stream().anyMatch(job -> job.manner().own() && job.manner().interruptible()));
        for (boolean within : new boolean[] {true, false}) {
            assertTrue(jobs.stream()
                    .anyMatch(
                            job -> job.kind() == Job.Kind.DRIVER && job.manner().within() == within));
        }
        assertTrue(jobs.stream().anyMatch(job -> job.where().isMain()));
        assertTrue(jobs.stream().anyMatch(job -> job.fate().limit()));
        assertTrue(jobs.stream().anyMatch(job -> job.fate().retries() > 0));
    }

    private static void useAllOfWalls(List<Program> programs) {
        List<Walls> all = programs.stream()
                .flatMap(program -> program.all()
                        .filter(job -> job.kind() == Job.Kind.GHOSTS)
                        .map(job -> Walls.of(
                                job,
                                program.stores().get(job.touches().getFirst().store()))))
                .toList();
        assertEquals(Set.of(1, 2), all.stream().map(Walls::layers).collect(Collectors.toSet()));
        assertEquals(Set.of(true, false), all.stream().map(Walls::isKernel).collect(Collectors.toSet()));
        for (Walls.Kind kind : Walls.Kind.values()) {
            assertTrue(all.stream().anyMatch(one -> one.kind(0, false) == kind && one.isConstant(0, false)));
            assertTrue(all.stream().anyMatch(one -> one.kind(2, true) == kind && !one.isConstant(2, true)));
        }
    }

    private static void useAllOfComponents(List<Composition> all) {
        for (Composition.Ending.How how : Composition.Ending.How.values()) {
            assertTrue(all.stream().anyMatch(one -> one.ending().how() == how));
        }
        for (Composition.Rest rest : Composition.Rest.values()) {
            assertTrue(all.stream().flatMap(one -> one.executions().stream()).anyMatch(its -> its.rest() == rest));
        }
        List<Components.Wiring> wirings =
                all.stream().map(one -> (Components.Wiring) one.form()).toList();
        assertTrue(wirings.stream().anyMatch(one -> one.loops().size() > 1));
        assertTrue(wirings.stream().anyMatch(one -> !one.parallel()));
        // Some executions that submit jobs are side by side.
        assertTrue(all.stream().anyMatch(AllFeaturesTest::submitsBeside));
    }

    private static void useAllOfStreams(List<Composition> all) {
        assertTrue(all.stream().anyMatch(one -> one.ending().how() == Composition.Ending.How.FAILS));
        for (Composition.Rest rest : Composition.Rest.values()) {
            assertTrue(all.stream().flatMap(one -> one.executions().stream()).anyMatch(its -> its.rest() == rest));
        }
        List<Streams.Shape> shapes =
                all.stream().map(one -> (Streams.Shape) one.form()).toList();
        assertTrue(shapes.stream().anyMatch(one -> one.buffers() > 0));
        assertTrue(shapes.stream().flatMap(one -> one.items().stream()).anyMatch(Streams.Item::owns));
        assertTrue(shapes.stream().anyMatch(one -> one.bound() > 0));
        assertTrue(all.stream().anyMatch(AllFeaturesTest::submitsBeside));
    }

    private static boolean submitsBeside(Composition one) {
        List<Composition.Execution> all = one.executions();
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                int earlier = j;
                boolean beside = Arrays.stream(all.get(i).behind()).noneMatch(place -> place == earlier);
                if (beside && !all.get(i).jobs().isEmpty() && !all.get(j).jobs().isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }
}

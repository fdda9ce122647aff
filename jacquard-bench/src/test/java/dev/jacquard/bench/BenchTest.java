package dev.jacquard.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.bench.workload.Workload.Absence;
import dev.jacquard.bench.workload.Workload.Contender;
import dev.jacquard.bench.workload.Workload.Rounds;
import dev.jacquard.components.program.InputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BenchTest {
    @TempDir
    Path folder;

    private Plan quick() {
        return new Plan(List.of(1, 2), true, true, Clock.system(), folder, null);
    }

    @Test
    void everyContenderOfEveryWorkloadDoesItsWork() throws Exception {
        List<String> begun = new ArrayList<>();
        Bench report = Bench.run(Workloads.all(), quick(), begun::add);
        Set<String> named = new TreeSet<>();
        for (Row row : report.rows()) {
            named.add(row.workload() + " " + row.system() + " " + row.workers());
            assertTrue(0 < row.min() && row.min() <= row.median() && row.median() <= row.max(), row.toString());
        }
        assertEquals(report.rows().size(), named.size(), "no row twice");
        Set<String> absent = report.missing().stream().map(Absence::system).collect(Collectors.toSet());
        Map.of(
                        "compiled.stencil8 onetbb 2", "onetbb",
                        "compiled.stencil8 taskflow 2", "taskflow",
                        "flow.pipeline3 onetbb 2", "onetbb",
                        "flow.stream56.resident onetbb 2", "onetbb",
                        "dynamic.accesses5 openmp 2", "openmp",
                        "expressions.triad c-fma 1", "c",
                        "dynamic.wavefront starpu 1", "starpu")
                .forEach((row, system) -> assertTrue(named.contains(row) != absent.contains(system), row));
        for (String row : List.of(
                "compiled.tree forkjoin 2",
                "dynamic.areas2d jacquard 1",
                "trace.chain jacquard-without-trace 1",
                "memory.pending jacquard 1",
                "memory.loop.start jacquard 2",
                "metg.kernel java 1",
                "metg.fft.w8 jacquard-dynamic 2",
                "dynamic.chain jacquard 1",
                "dynamic.chain forkjoin 2",
                "dynamic.independent completablefuture 2",
                "dynamic.wavefront jacquard 2",
                "dynamic.wavefront sequential 1",
                "expressions.heat.256 jacquard 1",
                "expressions.hand java-hand 1",
                "expressions.unfused.256 jacquard-fused 1",
                "flow.pipeline3 jacquard 2",
                "flow.pipeline3 jacquard-dedicated 4",
                "flow.pipeline3 arrayblockingqueue 4",
                "flow.pipeline3 disruptor 4",
                "flow.stream56.bound jacquard 2",
                "flow.graph1000.start jacquard 2",
                "flow.graph1000 jacquard-dedicated 51",
                "flow.loan jacquard-400-pools 2",
                "flow.pipelines.emulated jacquard-4-devices 2",
                "flow.pipelines.emulated.linear jacquard-4-devices 2",
                "flow.pipelines.emulated.balance jacquard-2-devices 2",
                "flow.routing.static jacquard-routed 2",
                "flow.profile jacquard-one-by-one 1",
                "stitching.64x512 jacquard-jtransforms 2",
                "stitching.64x512.first jacquard-jtransforms 2",
                "stitching.64x512.total jacquard-jtransforms 2",
                "stitching.64x512.displacements jacquard 2",
                "stitching.64x512.displacements arrayblockingqueue 3")) {
            assertTrue(named.contains(row), row + " in " + named);
        }
        assertEquals(1 + Workloads.all().size(), begun.size());
        requireFields(report.values());
    }

    private static void requireFields(Map<String, ?> values) {
        assertEquals(
                Set.of("host", "jdk", "commit", "date", "quick", "calibration", "rows", "missing"), values.keySet());
        assertEquals(Set.of("cpu", "cores", "os"), keys(values.get("host")));
        assertEquals(Set.of("pingPongNanos", "speedUp", "unsuitable"), keys(values.get("calibration")));
        List<?> rows = assertInstanceOf(List.class, values.get("rows"));
        for (Object row : rows) {
            assertEquals(Set.of("workload", "system", "workers", "unit", "median", "min", "max"), keys(row));
        }
        List<?> missing = assertInstanceOf(List.class, values.get("missing"));
        for (Object absent : missing) {
            assertEquals(Set.of("system", "reason", "install"), keys(absent));
        }
    }

    private static Set<?> keys(@Nullable Object map) {
        return assertInstanceOf(Map.class, map).keySet();
    }

    @Test
    void withoutRivalsOnlyJacquardRuns() throws Exception {
        Plan alone = new Plan(List.of(1), true, false, Clock.system(), folder, null);
        Bench report = Bench.run(Workloads.named("dynamic.chain"), alone, progress -> {});
        assertEquals(
                List.of("jacquard"), report.rows().stream().map(Row::system).toList());
        assertEquals(Set.of(), report.missing());
    }

    @Test
    void aSystemThatSkipsWorkIsCaught() {
        IllegalStateException e = assertThrows(
                IllegalStateException.class,
                () -> Bench.run(List.of(fake(new Fake("lazy", false))), quick(), progress -> {}));
        assertEquals("lazy with 1 workers did not do the work: the sum is wrong", e.getMessage());
    }

    @Test
    void ratiosAreMediansOverRoundsAndTellWhoIsSlower() throws Exception {
        Bench report = Bench.run(
                List.of(fake(new Fake("jacquard", true, 2, 4, 10), new Fake("rival", true, 6, 4, 20))),
                quick(),
                progress -> {});
        assertEquals(1, report.rows().getFirst().ratio().median());
        assertEquals(2, report.rows().getLast().ratio().median());
        assertEquals(6, report.rows().getLast().median());
    }

    @Test
    void theIntervalOfARatioIsThatOfTheOrderedSample() {
        double[] hundredAndOne = IntStream.rangeClosed(1, 101).asDoubleStream().toArray();
        // The tables of the sign test: the 41st and the 61st of 101, the 6th and the 16th of 21.
        assertEquals(new Ratio(51, 41, 61), Ratio.of(hundredAndOne));
        assertEquals(new Ratio(11, 6, 16), Ratio.of(Arrays.copyOf(hundredAndOne, 21)));
        assertEquals(new Ratio(2, 1, 3), Ratio.of(3, 1, 2));
    }

    @Test
    void aGroupIsAllOfItsWorkloads() {
        assertEquals(16, Workloads.named("dynamic").size());
        List<String> engine =
                Workloads.named("engine").stream().map(Workload::name).toList();
        assertTrue(engine.containsAll(List.of("compiled.tree", "dynamic.chain", "memory.loop")), engine.toString());
        assertFalse(engine.contains("metg.kernel"), "it has its own time");
        assertEquals(1, Workloads.named("flow.pipeline3").size());
    }

    @Test
    void anUnknownNameIsExplained() {
        String message = assertThrows(InputException.class, () -> Workloads.named("dynamic.chian"))
                .getMessage();
        assertTrue(
                message.startsWith("there is no workload 'dynamic.chian'; did you mean 'dynamic.chain'?; known are "),
                message);
    }

    @Test
    void theCommitIsReadFromGitsFiles() throws Exception {
        assertTrue(Commit.of(folder).isEmpty());
        Path git = Files.createDirectories(folder.resolve(".git/refs/heads"));
        Files.writeString(folder.resolve(".git/HEAD"), "ref: refs/heads/main\n");
        Files.writeString(folder.resolve(".git/packed-refs"), "# pack-refs\nabc refs/heads/main\n");
        assertEquals("abc", Commit.of(folder).orElseThrow());
        Files.writeString(git.resolve("main"), "def\n");
        assertEquals("def", Commit.of(folder).orElseThrow());
        Path second = Files.createDirectories(folder.resolve("second"));
        Path its = Files.createDirectories(folder.resolve(".git/worktrees/second"));
        Files.writeString(second.resolve(".git"), "gitdir: " + its + "\n");
        Files.writeString(its.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(its.resolve("commondir"), "../..\n");
        assertEquals("def", Commit.of(second).orElseThrow());
    }

    private static Workload fake(Contender... contenders) {
        return new Workload("fake.work", "ns", new Rounds(0, 3), new Rounds(0, 3)) {
            @Override
            public List<Contender> contenders(Plan plan) {
                return List.of(contenders);
            }
        };
    }

    /** Takes what it is told to. */
    private static final class Fake extends Contender {
        private final boolean right;
        private final Iterator<Double> rounds;

        Fake(String system, boolean right, double... rounds) {
            super(system, 1);
            this.right = right;
            this.rounds = Arrays.stream(rounds).iterator();
        }

        @Override
        public Map<String, Double> round() {
            verify(right, "the sum");
            return Map.of(MAIN, rounds.next());
        }
    }
}

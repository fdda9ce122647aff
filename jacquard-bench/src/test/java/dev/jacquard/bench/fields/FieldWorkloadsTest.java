package dev.jacquard.bench.fields;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.bench.workload.Workload.Contender;
import dev.jacquard.expressions.field.Grid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FieldWorkloadsTest {
    private static final Plan QUICK = new Plan(List.of(1), true, true, Clock.system(), Path.of(""), null);

    static Stream<String> workloads() {
        return FieldWorkloads.all().stream().map(Workload::name);
    }

    private static Workload named(String name) {
        return FieldWorkloads.all().stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A round of each system, the second of which finds what the first one left. */
    @ParameterizedTest
    @MethodSource("workloads")
    void allSystemsComputeTheSame(String name) throws Exception {
        List<Contender> contenders = named(name).contenders(QUICK);
        try {
            for (Contender contender : contenders) {
                for (int round = 0; round < 2; round++) {
                    assertTrue(contender.round().values().stream().allMatch(nanos -> nanos > 0), contender.system());
                }
            }
            assertEquals(
                    contenders.size(),
                    contenders.stream().map(Contender::system).distinct().count(),
                    "no system twice");
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
    }

    @Test
    void aWrongResultIsCaught() throws Exception {
        Recipe recipe = Recipes.heat(4);
        Inputs.Sum right = recipe.sum();
        LoopContender wrong = new LoopContender(
                "wrong", false, recipe, right, true, () -> {}, _ -> new Measured(1, right.sum() + 1e-8 * right.size()));
        IllegalStateException e = assertThrows(IllegalStateException.class, wrong::round);
        assertEquals("wrong with 1 workers did not do the work: the sum of the result is wrong", e.getMessage());
    }

    @Test
    void inputsAreTheSameByIndexAndByCoordinate() {
        Grid grid = Grid.of(8, 8, 8).lengths(1, 1, 1).ghosts(1);
        for (int i = -1; i <= 8; i++) {
            double middle = (i + 0.5) / 8;
            assertEquals(Inputs.value(1, i, 2, 3), Inputs.value(1, grid, middle, 2.5 / 8, 3.5 / 8));
            assertEquals(Inputs.value(1, i, 2, 3), Inputs.value(1, grid, i / 8.0, 2.5 / 8, 3.5 / 8));
        }
    }

    /** A sum finds values in wrong places. */
    @Test
    void sumsKnowWhereValuesAre() {
        Recipe recipe = Recipes.heat(8);
        Inputs.Sum shifted = Inputs.sum(
                recipe.grid().interior(recipe.result().centring(0)),
                (x, y, z) -> recipe.expected().at(x + 1, y, z));
        assertFalse(recipe.sum().isNear(shifted.sum(), recipe.tolerance()));
    }

    @Test
    void heatHasALoopInCOfEachKind() throws Exception {
        assumeTrue(CompiledLoops.absence().isEmpty(), "no compiler for C++");
        List<String> systems = new ArrayList<>();
        List<Contender> contenders = named("expressions.heat.64").contenders(QUICK);
        for (Contender contender : contenders) {
            systems.add(contender.system());
            contender.close();
        }
        assertTrue(
                systems.containsAll(List.of(
                        "jacquard-plain",
                        "jacquard-submitted",
                        "c-plain",
                        "c-fma",
                        "c-tiled",
                        "c-tiled-fma",
                        "c-triad")),
                systems.toString());
    }
}

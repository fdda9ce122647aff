package dev.jacquard.bench.fields;

import dev.jacquard.bench.fields.CompiledLoops.Contraction;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.expressions.codegen.Loops;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A loop over fields: Jacquard's, in lanes and plain, compared with C's and, where it says how far memory goes, a
 * triad.
 */
final class LoopWorkload extends Workload {
    /** The part of the cells along an axis that a quick run has. */
    private static final int QUICK = 16;

    private static final Absence NO_LANES = new Absence(
            "jacquard",
            "the JVM has no module jdk.incubator.vector",
            "JDK_JAVA_OPTIONS=--add-modules=jdk.incubator.vector");

    private final IntFunction<Recipe> recipes;
    private final int cells;
    private final Set<Beside> beside;

    /** Further contenders. */
    enum Beside {
        /** STREAM's triad in C on as many elements. */
        TRIAD,
        /** Assignments, with the tasks that they are. */
        SUBMITTED,
        /** The loop as it is written by hand in Java. */
        HAND,
        /** The heat equation by one loop. */
        FUSED
    }

    /**
     * A workload.
     *
     * @param recipes the computations, by the cells along an axis
     * @param cells how many
     */
    LoopWorkload(String name, IntFunction<Recipe> recipes, int cells, Beside... beside) {
        super(name, "ns/point", new Rounds(0, 1), new Rounds(6, 21));
        this.recipes = recipes;
        this.cells = cells;
        this.beside = Set.of(beside);
    }

    @Override
    public List<Absence> absences(Plan plan) {
        Optional<Absence> lanes = Loops.hasLanes() ? Optional.empty() : Optional.of(NO_LANES);
        return Stream.of(lanes, CompiledLoops.absence())
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        int its = plan.quick() ? cells / QUICK : cells;
        Systems systems = new Systems(plan, recipes.apply(its));
        systems.addJacquard();
        if (beside.contains(Beside.FUSED)) {
            systems.addFused(Recipes.heat(its));
        }
        if (CompiledLoops.absence().isEmpty()) {
            systems.addC();
        }
        return systems.all;
    }

    /**
     * One round, of all systems: a loop is computed again and again in steps of time, and the work between rounds here,
     * a collection among it, is not.
     */
    @Override
    public int settling() {
        return 1;
    }

    /** Makes the contenders of a run. Confined to one thread. */
    private final class Systems {
        private final Plan plan;
        private final Recipe recipe;
        private final Inputs.Sum expected;
        private final List<Contender> all = new ArrayList<>();

        Systems(Plan plan, Recipe recipe) {
            this.plan = plan;
            this.recipe = recipe;
            this.expected = recipe.sum();
        }

        void addJacquard() {
            JacquardFields fields = new JacquardFields(recipe, plan.clock());
            if (Loops.hasLanes()) {
                add("jacquard", fields, fields.compiled(Loops.Form.LANES));
            }
            add("jacquard-plain", fields, fields.compiled(Loops.Form.PLAIN));
            if (beside.contains(Beside.SUBMITTED)) {
                add("jacquard-submitted", fields, fields.assignments(Loops.Form.AUTO));
            }
            if (beside.contains(Beside.HAND)) {
                add("java-hand", fields, fields.byHand());
            }
        }

        void addFused(Recipe fused) {
            JacquardFields fields = new JacquardFields(fused, plan.clock());
            add("jacquard-fused", fields, fields.compiled(Loops.Form.AUTO));
        }

        private void add(String system, JacquardFields fields, Measured.Runs runs) {
            all.add(new LoopContender(system, true, recipe, expected, plan.quick(), fields::close, runs));
        }

        /** Adds each loop without contraction and with it, and the triad; all of a program share its process. */
        void addC() throws IOException {
            for (Contraction contraction : Contraction.values()) {
                boolean isTriadHere = contraction == Contraction.FAST && beside.contains(Beside.TRIAD);
                if (recipe.loops().isEmpty() && !isTriadHere) {
                    continue;
                }
                CompiledLoops program = CompiledLoops.start(contraction, recipe.grid());
                for (String loop : recipe.loops()) {
                    addC(name(loop, contraction), recipe, expected, program, loop);
                }
                if (isTriadHere) {
                    Recipe triad = Recipes.triad(recipe.grid());
                    addC(CompiledLoops.SYSTEM + "-triad", triad, triad.sum(), program, "triad");
                }
            }
        }

        private void addC(String system, Recipe its, Inputs.Sum sum, CompiledLoops program, String loop) {
            all.add(new LoopContender(system, false, its, sum, plan.quick(), program::close, program.runs(loop)));
        }
    }

    /** Returns the name of a system: {@code c-plain}, {@code c-fma}, {@code c-tiled}, {@code c-tiled-fma}. */
    private static String name(String loop, Contraction contraction) {
        int variant = loop.indexOf('-');
        String way = variant < 0 ? "" : loop.substring(variant);
        String fma = contraction == Contraction.FAST ? "-fma" : "";
        String name = CompiledLoops.SYSTEM + way + fma;
        return name.equals(CompiledLoops.SYSTEM) ? name + "-plain" : name;
    }
}

package dev.jacquard.apps.pde;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.expressions.codegen.Loops;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The component {@code pde}: partial differential equations that the program file has as text. */
public final class Pde implements Application {
    private static final String NONE = "none";

    /** The setting of components that advance fields: the scheduler of a step's tasks, empty for none. */
    public static final Setting<Optional<Scheduler>> SCHEDULER = Setting.optional(
            "scheduler",
            new Setting.Type<>(
                    "one of " + NONE + ", "
                            + Scheduler.all().stream().map(Scheduler::name).collect(Collectors.joining(", ")),
                    Pde::scheduler),
            NONE,
            "which ready task of a step is next: what holds up most (priority), one after the other (topological), what"
                    + " a scheduler of the class path says, or what workers find (none)");

    /** Made by the service loader. */
    public Pde() {}

    @SuppressWarnings("NullableOptional") // null: no such name
    private static @Nullable Optional<Scheduler> scheduler(String text) {
        if (text.equals(NONE)) {
            return Optional.empty();
        }
        Optional<Scheduler> found =
                Scheduler.all().stream().filter(one -> one.name().equals(text)).findFirst();
        return found.isEmpty() ? null : found;
    }

    @Override
    public String name() {
        return "pde";
    }

    @Override
    public String description() {
        return "advances unknowns on a grid by equations that are written as text";
    }

    @Override
    public List<Setting<?>> settings() {
        return Keys.all();
    }

    @Override
    public boolean computesInLanes() {
        return true;
    }

    @Override
    public boolean resumes() {
        return true;
    }

    @Override
    public void check(Settings settings) {
        Given<Loops.Form> form = settings.given(Keys.LOOPS);
        if (form.value() == Loops.Form.LANES && !Loops.hasLanes()) {
            throw form.error(
                    "'loops: lanes' needs the JVM's module jdk.incubator.vector: 'loops: auto' or plain does not");
        }
        Equations equations = Equations.read(settings);
        if (!Double.isNaN(settings.get(Keys.STEP))) {
            Course.requireFew(settings, settings.get(Keys.STEP));
        }
        Given<int[]> tile = settings.given(Keys.TILE);
        int dimensions = equations.grid().dimensions();
        if (tile.value().length != 0 && tile.value().length != dimensions) {
            throw tile.error("'tile' is '" + tile.text() + "', and the grid has " + dimensions
                    + " dimensions; expected as many numbers, or auto");
        }
    }

    @Override
    public void checkPart(Settings settings) {
        Given<Integer> every = settings.given(Keys.EVERY);
        if (every.value() > 0) {
            throw every.error("'checkpoint.every' is of a run alone; the program that it is a part of has"
                    + " 'checkpoint: {every: N}', between passes of its loops");
        }
    }

    @Override
    public Report run(Job run) throws IOException {
        return new Solver(run, Equations.read(run.settings())).solve().report();
    }
}

package dev.jacquard.apps.pde;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings.Given;
import dev.jacquard.expressions.codegen.Loops;
import java.io.IOException;
import java.util.List;

/** The component {@code pde}: partial differential equations that the program file has as text. */
public final class Pde implements Application {
    /** Made by the service loader. */
    public Pde() {}

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
    public Report run(Job run) throws IOException {
        Given<Loops.Form> form = run.settings().given(Keys.LOOPS);
        if (form.value() == Loops.Form.LANES && !Loops.hasLanes()) {
            throw form.error(
                    "'loops: lanes' needs the JVM's module jdk.incubator.vector: 'loops: auto' or plain does not");
        }
        return new Solver(run, Equations.read(run.settings())).solve().report();
    }
}

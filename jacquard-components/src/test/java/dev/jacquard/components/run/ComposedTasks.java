package dev.jacquard.components.run;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.testing.random.Components;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The components that submit tasks of the core's random programs. Threads: any. */
public final class ComposedTasks implements Components {
    private static final Catalog CATALOG = Catalog.of(List.of());

    private final AtomicInteger runs = new AtomicInteger();

    @Override
    public @Nullable Exception run(Wiring program, Session session, Path folder, Work work) throws IOException {
        Cancellation cancellation = new Cancellation();
        AtomicInteger open = new AtomicInteger();
        Catalog catalog = CATALOG.plus(List.of(
                new Submitting("submits", false, work, cancellation, open),
                new Submitting("submits-quickly", true, work, cancellation, open)));
        Path its = Files.createDirectories(folder.resolve("composed" + runs.incrementAndGet()));
        Path file = its.resolve("program.yaml");
        Files.writeString(file, yaml(program));
        RunMode mode = program.parallel() ? RunMode.PARALLEL : RunMode.SERIAL;
        ComposedProgram loaded = (ComposedProgram) Program.load(file, new Choices(List.of(), null, catalog, mode));
        @Nullable Exception end = null;
        try (OutputFolder out = OutputFolder.open(its.resolve("out"))) {
            loaded.run(new Surroundings(out, Progress.NONE, cancellation, false), session, null, new Cancellation());
        } catch (Exception e) {
            end = e;
        }
        if (open.get() != 0) {
            throw new IllegalStateException(open + " parts are left open");
        }
        return end;
    }

    private static String yaml(Wiring program) {
        List<Integer> order = new ArrayList<>();
        for (int part = 0; part < program.parts().size(); part++) {
            order.add(part);
        }
        Collections.shuffle(order, new Random(program.seed()));
        StringBuilder yaml = new StringBuilder("program: composed\ncomponents:\n");
        StringBuilder wires = new StringBuilder();
        for (int number : order) {
            Part part = program.parts().get(number);
            boolean isExit = program.loops().stream().anyMatch(loop -> loop.exit() == number);
            yaml.append("  p").append(number);
            yaml.append(": {component: ").append(part.waits() ? "submits" : "submits-quickly");
            yaml.append(", id: ")
                    .append(number)
                    .append(", inputs: ")
                    .append(part.reads().size());
            yaml.append(", exit: ").append(isExit);
            yaml.append(part.within() < 0 ? "" : ", within: p" + part.within());
            if (part.limitMillis() > 0) {
                yaml.append(String.format(Locale.ROOT, ", timeLimit: %.3f", part.limitMillis() / 1e3));
            }
            yaml.append("}\n");
            for (int i = 0; i < part.reads().size(); i++) {
                wires.append(String.format(
                        Locale.ROOT,
                        "  p%d.in%d: p%d.value\n",
                        number,
                        i,
                        part.reads().get(i)));
            }
        }
        for (Loop loop : program.loops()) {
            wires.append(String.format(Locale.ROOT, "  p%d.back: p%d.again\n", loop.entry(), loop.exit()));
        }
        return wires.isEmpty() ? yaml.toString() : yaml + "wires:\n" + wires;
    }
}

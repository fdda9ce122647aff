package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.Mode;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.program.ProgramFile;
import dev.jacquard.components.program.ProgramText;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.run.PartContext.RunTools;
import dev.jacquard.core.session.Session;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Components that are plugged together. */
final class ComposedProgram extends Program {
    /** The picture of a run among its results. */
    private static final String PICTURE = "graph.svg";

    /** A program of more components is drawn on request only: that of a thousand takes a second. */
    private static final int MOST_DRAWN = 200;

    private final String name;
    private final Mode mode;
    private final int workers;
    private final Plan plan;
    private final List<CheckedPart> parts;

    /**
     * A checked program.
     *
     * @param workers of its session
     * @param parts by their numbers in the plan
     */
    ComposedProgram(String name, Mode mode, int workers, Plan plan, List<CheckedPart> parts) {
        this.name = name;
        this.mode = mode;
        this.workers = workers;
        this.plan = plan;
        this.parts = List.copyOf(parts);
    }

    /** Checks a file of several components. */
    static ComposedProgram of(ProgramText text, Choices choices) {
        return new ProgramCheck(text.file(), choices).several(text);
    }

    /** Checks a file of one component that is no application, or runs in a mode of its own. */
    static ComposedProgram ofOne(ProgramFile file, Component component, Settings settings, Choices choices) {
        return new ProgramCheck(file.file(), choices).one(file, component, settings);
    }

    String name() {
        return name;
    }

    Mode mode() {
        return mode;
    }

    Plan plan() {
        return plan;
    }

    @Override
    public int size() {
        return parts.size();
    }

    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public String toSvg() {
        return new ProgramPicture(name, plan, null, new Passes(plan)).text();
    }

    @Override
    public Report run(Surroundings its) throws Exception {
        try (Session session = Session.builder().workers(workers).open()) {
            return run(its, session);
        }
    }

    private Report run(Surroundings its, Session session) throws Exception {
        Passes passes = new Passes(plan);
        Stops stops = new Stops(session, passes, its.cancellation());
        long begun = session.clock().nanoTime();
        OpenedParts opened = OpenedParts.open(
                plan,
                parts,
                session,
                new RunTools(its.output(), new SharedProgress(its.progress()), stops.cancellation()));
        @Nullable Exception failure = null;
        StallTeller teller = new StallTeller(plan, opened, passes, session);
        try {
            if (mode == Mode.SERIAL) {
                new SerialRun(plan, opened, passes, stops, session.clock()).run();
            } else {
                new ParallelRun(plan, opened, passes, stops, session).run();
            }
            stops.check();
        } catch (Exception e) {
            failure = e;
        } finally {
            teller.close();
        }
        @Nullable ComponentFailedException second = opened.close();
        if (failure != null) {
            if (second != null && !(failure instanceof CancellationException)) {
                failure.addSuppressed(second);
            }
            throw failure;
        }
        if (second != null) {
            throw second;
        }
        if (parts.size() <= MOST_DRAWN) {
            String picture = new ProgramPicture(name, plan, opened, passes).text();
            Files.writeString(its.output().file(PICTURE), picture);
        }
        long nanos = session.clock().nanoTime() - begun;
        return new RunReport(this, opened, passes).report(nanos / 1e9);
    }
}

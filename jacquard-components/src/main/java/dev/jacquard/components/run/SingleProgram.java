package dev.jacquard.components.run;

import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Settings;
import dev.jacquard.engine.work.ThreadFunction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An application that runs alone, with its settings. Immutable. */
public final class SingleProgram extends Program {
    private final Application application;
    private final Settings settings;

    SingleProgram(Application application, Settings settings) {
        this.application = application;
        this.settings = settings;
    }

    /**
     * Reads a program of an application on the class path or module path, and checks all of its settings.
     *
     * @param file the YAML file
     * @param overrides {@code key=value} each
     * @param data the folder named by {@code JACQUARD_DATA}, or null
     * @throws InputException if anything is wrong with it, or it is no program of an application
     */
    public static SingleProgram load(Path file, List<String> overrides, @Nullable Path data) {
        Program program = load(file, new Choices(overrides, data, Catalog.of(List.of()), null));
        if (program instanceof SingleProgram single) {
            return single;
        }
        throw new InputException(file + ": it is no program of an application alone");
    }

    /** Returns the application. */
    public Application application() {
        return application;
    }

    /** Returns the values of its settings. */
    public Settings settings() {
        return settings;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public boolean isTraced() {
        return false;
    }

    @Override
    public boolean resumes() {
        return application.resumes();
    }

    @Override
    public String toSvg() {
        throw new InputException("'" + application.name() + "' runs alone: there are no components to draw");
    }

    @Override
    public Report run(Surroundings its) throws Exception {
        if (its.trace() != null) {
            throw new IllegalArgumentException("'" + application.name()
                    + "' runs alone: there are no components to trace; load the program with a mode to run it as one");
        }
        Job job = new Job(settings, its.output(), its.progress(), its.cancellation(), its.resumes());
        RunningApplication running = new RunningApplication();
        running.begin();
        try (Cancellation.Registration _ = its.cancellation().onCancel(running::interrupt)) {
            return application.run(job);
        } finally {
            running.end();
        }
    }

    /** The application on its thread; an interrupt waits while tasks run on the thread. */
    private static final class RunningApplication extends ThreadFunction {}

    @Override
    public int ranks() {
        return 0;
    }

    @Override
    public Map<String, Object> placement() {
        return Map.of();
    }

    @Override
    public List<String> placementLines() {
        return List.of();
    }

    @Override
    public Report run(Surroundings its, Communicator world) {
        throw new IllegalStateException("'" + application.name() + "' runs alone: it has no ranks");
    }
}

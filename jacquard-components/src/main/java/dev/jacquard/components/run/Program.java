package dev.jacquard.components.run;

import dev.jacquard.base.machine.Machine;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.ProgramFile;
import dev.jacquard.components.program.ProgramText;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.SearchPath;
import dev.jacquard.components.program.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A program that was read and checked, ready to run: an application with its settings, or several components that are
 * plugged together. Immutable; may run several times.
 */
public abstract sealed class Program permits SingleProgram, ComposedProgram {
    /** For the kinds of programs. */
    Program() {}

    /**
     * The choices that decide on a program in addition to its file.
     *
     * @param overrides {@code key=value} each, stronger than the file
     * @param data the folder named by {@code JACQUARD_DATA}, or null
     * @param catalog the components that it can name
     * @param mode how it is to run, stronger than the file; null if the file decides
     * @param ranks the number of ranks, stronger than the file; 0 if the file decides
     * @param processors the workers of a program when its file says nothing
     */
    public record Choices(
            List<String> overrides,
            @Nullable Path data,
            Catalog catalog,
            @Nullable RunMode mode,
            int ranks,
            int processors) {
        public Choices {
            overrides = List.copyOf(overrides);
        }

        /** Without a number of ranks. */
        public Choices(List<String> overrides, @Nullable Path data, Catalog catalog, @Nullable RunMode mode) {
            this(overrides, data, catalog, mode, 0);
        }

        /** With all processors. */
        public Choices(
                List<String> overrides, @Nullable Path data, Catalog catalog, @Nullable RunMode mode, int ranks) {
            this(overrides, data, catalog, mode, ranks, Machine.availableProcessors());
        }
    }

    /**
     * The surroundings of a run.
     *
     * @param output where its files go
     * @param progress reports to a waiting user
     * @param cancellation asks it to stop
     * @param resumes true to go on from the files that an earlier run has left in the output folder
     * @param trace the file for the actions of components and workers over time, for Perfetto; null for none. The
     *     output folder reports that it cannot be written, when the results are in place
     */
    public record Surroundings(
            OutputFolder output,
            Progress progress,
            Cancellation cancellation,
            boolean resumes,
            @Nullable Path trace) {
        /** Returns the same without a trace. */
        Surroundings withoutTrace() {
            return new Surroundings(output, progress, cancellation, resumes);
        }

        /** Without a trace. */
        public Surroundings(OutputFolder output, Progress progress, Cancellation cancellation, boolean resumes) {
            this(output, progress, cancellation, resumes, null);
        }
    }

    /**
     * Reads a program and checks all that can be checked before it runs.
     *
     * @param file the YAML file
     * @throws InputException if anything is wrong with it; of components that are plugged together all errors are
     *     reported at once
     */
    public static Program load(Path file, Choices choices) {
        ProgramText text = ProgramText.read(file, choices.overrides());
        if (text.isComposed()) {
            return ComposedProgram.of(text, choices);
        }
        ProgramFile program = text.single();
        Component component = choices.catalog()
                .find(program.component().text(), program.component().where());
        SearchPath searchPath = SearchPath.of(file, choices.data(), component.dataFolder());
        Asking asking = new Asking(component, program.where());
        Settings settings = Settings.of(program, asking.settings(), searchPath);
        if (component instanceof Application application && choices.mode() == null && choices.ranks() == 0) {
            asking.check(settings);
            return new SingleProgram(application, settings);
        }
        return ComposedProgram.ofOne(program, component, settings, choices);
    }

    /** Returns the number of its components. */
    public abstract int size();

    /** Returns true if a run can write a trace of its components. */
    public abstract boolean isTraced();

    /** Returns true if a run can go on from where an earlier one was stopped. */
    public abstract boolean resumes();

    /**
     * Returns a picture of its components, sockets and loops, as an SVG document.
     *
     * @throws InputException if it is an application alone
     */
    public abstract String toSvg();

    /** Returns the number of ranks on which it runs; 0 if it runs without ranks. */
    public abstract int ranks();

    /** Returns which rank executes which component, for reports; empty if it does not run task parallel. */
    public abstract Map<String, Object> placement();

    /** Returns which rank executes which component, a line each rank; empty if it does not run task parallel. */
    public abstract List<String> placementLines();

    /**
     * Runs it; on ranks inside this process if it has some.
     *
     * @throws InputException if the user's input cannot be used
     * @throws IllegalArgumentException if a trace is wanted of an application alone
     * @throws java.util.concurrent.CancellationException if it stopped because of the cancellation
     * @throws ComponentFailedException if one of several components failed
     * @throws Exception if the work failed
     */
    public abstract Report run(Surroundings surroundings) throws Exception;

    /**
     * Runs it as one of several ranks, all of which call this.
     *
     * @param its the surroundings of this rank
     * @param world the communicator of all ranks, as many as the program has
     * @return the report on rank 0; null on others
     * @throws InputException on all ranks alike, like the two below; the message names the rank
     * @throws ComponentFailedException if a component failed on a rank
     * @throws java.util.concurrent.CancellationException if a rank was stopped
     * @throws Exception on this rank alone, if the ranks could not agree
     */
    public abstract @Nullable Report run(Surroundings its, Communicator world) throws Exception;
}

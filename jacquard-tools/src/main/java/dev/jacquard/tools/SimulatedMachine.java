package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.EngineOptions;
import dev.jacquard.libraries.hwloc.HwlocFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a simulation, as {@code --machine} names them: a number, this machine, or a machine that a file of
 * hwloc describes.
 *
 * @param option the text of the option; null where it was not given
 */
record SimulatedMachine(@Nullable String option) {
    private static final String THIS = "this";
    private static final Pattern NUMBER = Pattern.compile("-?\\d+");

    /** Returns the workers of the host for a graph: the first of its own processors, or equal ones. */
    int workers(GraphFile graph) {
        int own = graph.processors();
        if (option == null) {
            return own > 0 ? own : Machine.availableProcessors();
        }
        int wanted = workers(option);
        if (own > 0 && wanted > own) {
            throw new InputException("--machine " + option + ": the graph has times for its own " + own
                    + " processors alone; expected 1 to " + own + ", or no --machine for all of them");
        }
        return wanted;
    }

    private static int workers(String text) {
        if (text.equals(THIS)) {
            return Machine.availableProcessors();
        }
        return NUMBER.matcher(text).matches() ? number(text) : Math.min(processors(text), EngineOptions.MOST_WORKERS);
    }

    private static int number(String text) {
        try {
            int workers = Integer.parseInt(text);
            if (workers >= 1 && workers <= EngineOptions.MOST_WORKERS) {
                return workers;
            }
        } catch (NumberFormatException e) {
            // too large: refused below
        }
        throw new InputException("--machine " + text + ": expected 1 to " + EngineOptions.MOST_WORKERS + " workers");
    }

    private static int processors(String file) {
        if (!Files.isRegularFile(Path.of(file))) {
            throw new InputException("--machine " + file + ": there is no such file; expected a number of workers, a"
                    + " file of hwloc, or \"this\" for one for each processor of this machine");
        }
        try {
            return Math.max(1, HwlocFile.read(Path.of(file)).machine().processors());
        } catch (HwlocFile.MalformedException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new InputException("--machine " + file + ": the file cannot be read: " + e, e);
        }
    }
}

package dev.jacquard.tools;

import dev.jacquard.apps.graphs.GraphFile;
import dev.jacquard.components.program.InputException;
import dev.jacquard.engine.EngineOptions;
import org.jspecify.annotations.Nullable;

/**
 * The machine of a simulation, as {@code --machine} names it: the place where other descriptions of machines are read.
 *
 * @param option the text of the option; null where it was not given
 */
record SimulatedMachine(@Nullable String option) {
    private static final String THIS = "this";

    /** Returns the workers of the host for a graph: those of its own processors, or equal ones. */
    int workers(GraphFile graph) {
        int own = graph.processors();
        if (own > 0) {
            return option == null ? own : ownWorkers(own);
        }
        return option == null || option.equals(THIS) ? Runtime.getRuntime().availableProcessors() : number(option);
    }

    private int ownWorkers(int own) {
        int wanted = String.valueOf(option).equals(THIS) ? 0 : number(String.valueOf(option));
        if (wanted < 1 || wanted > own) {
            throw new InputException("--machine " + option + ": the graph has times for its own " + own
                    + " processors alone; expected 1 to " + own + ", or no --machine for all of them");
        }
        return wanted;
    }

    private static int number(String text) {
        try {
            int workers = Integer.parseInt(text);
            if (workers >= 1 && workers <= EngineOptions.MOST_WORKERS) {
                return workers;
            }
        } catch (NumberFormatException e) {
            // no number: refused below
        }
        throw new InputException("--machine " + text + ": expected a number of workers from 1 to "
                + EngineOptions.MOST_WORKERS + ", or \"this\" for one for each processor of this machine");
    }
}

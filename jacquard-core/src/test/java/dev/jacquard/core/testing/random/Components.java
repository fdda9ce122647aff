package dev.jacquard.core.testing.random;

import dev.jacquard.core.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Programs of components that a module above makes and runs, whose executions submit the tasks of random programs.
 *
 * <p>Threads: any.
 */
public interface Components {
    /**
     * Runs a program in a session that is open, and returns when nothing of it runs any more.
     *
     * @param folder for files
     * @param work what executions do
     * @return what ended it early; null when it ran to its end
     * @throws IOException when it cannot be made
     * @throws IllegalStateException when parts are left open
     */
    @Nullable
    Exception run(Wiring program, Session session, Path folder, Work work) throws IOException;

    /** The work of all parts. Threads: those of the program. */
    interface Work {
        /**
         * Executes a part. The value of its source is the number of the execution, from 1, which is set before.
         *
         * @param values what its sinks hold, in the order of its reads
         * @return of the exit of a loop, whether that is to be left
         */
        boolean execute(int part, long[] values, Control control) throws Exception;
    }

    /** What an execution may ask of its program. Threads: any. */
    interface Control {
        /** Returns true if the program is asked to stop. */
        boolean isCancelled();

        /** Cancels the program, as its user would. */
        void cancel();
    }

    /**
     * What a program is made of.
     *
     * @param seed says in which order its file names the parts
     * @param parallel whether what has no path between it runs side by side
     * @param parts by their numbers
     * @param loops in any order
     */
    record Wiring(long seed, boolean parallel, List<Part> parts, List<Loop> loops) implements Composition.Form {
        @Override
        public String text() {
            StringBuilder text =
                    new StringBuilder("components: " + (parallel ? "parallel" : "serial") + ", loops " + loops + "\n");
            for (int i = 0; i < parts.size(); i++) {
                text.append("  p").append(i).append(' ').append(parts.get(i)).append('\n');
            }
            return text.toString();
        }
    }

    /**
     * A part.
     *
     * @param waits whether executions may wait
     * @param reads the parts whose values it reads, by a sink each
     * @param within the exit of the loop that it is put into; -1 where its wires say enough
     * @param limitMillis the time that an execution may take; 0 for any
     */
    record Part(boolean waits, List<Integer> reads, int within, long limitMillis) {}

    /** A loop from a part to another one. */
    record Loop(int entry, int exit) {}
}

package dev.jacquard.components.component;

import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Settings;
import dev.jacquard.core.session.Session;
import org.jspecify.annotations.Nullable;

/**
 * One run of an application.
 *
 * @param settings the values of its settings
 * @param output where its files go
 * @param progress reports to a waiting user
 * @param cancellation asks it to stop
 * @param resumes true to go on from the files that an earlier run has left in the output folder
 * @param session the session of the larger program that it is a part of; null if it runs alone
 */
public record Job(
        Settings settings,
        OutputFolder output,
        Progress progress,
        Cancellation cancellation,
        boolean resumes,
        @Nullable Session session) {
    /** A run alone. */
    public Job(Settings settings, OutputFolder output, Progress progress, Cancellation cancellation, boolean resumes) {
        this(settings, output, progress, cancellation, resumes, null);
    }

    /** A run alone, from the beginning. */
    public Job(Settings settings, OutputFolder output, Progress progress, Cancellation cancellation) {
        this(settings, output, progress, cancellation, false);
    }

    /** Returns a run from the beginning, as a part of a larger program. */
    public static Job of(ComponentContext context) {
        return new Job(
                context.settings(),
                context.output(),
                context.progress(),
                context.cancellation(),
                false,
                context.session());
    }

    /** Returns true if it is a part of a larger program, which has its own trace, picture and checkpoints. */
    public boolean isPart() {
        return session != null;
    }

    /**
     * Returns the program's session if it is one for an application that wants that number of workers; null if the
     * application is to open its own session.
     *
     * @param workers 0 for any
     */
    public @Nullable Session sessionOf(int workers) {
        return session != null && (workers == 0 || workers == session.workers()) ? session : null;
    }
}

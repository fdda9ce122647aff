package dev.jacquard.components.component;

import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Settings;

/**
 * One run of an application.
 *
 * @param settings the values of its settings
 * @param output where its files go
 * @param progress what it tells a waiting user
 * @param cancellation asks it to stop
 * @param resumes true to go on from what an earlier run has left in the output folder
 */
public record Job(
        Settings settings, OutputFolder output, Progress progress, Cancellation cancellation, boolean resumes) {
    /** A run from the beginning. */
    public Job(Settings settings, OutputFolder output, Progress progress, Cancellation cancellation) {
        this(settings, output, progress, cancellation, false);
    }

    /** Returns a run from the beginning, as a part of a larger program. */
    public static Job of(ComponentContext context) {
        return new Job(context.settings(), context.output(), context.progress(), context.cancellation());
    }
}

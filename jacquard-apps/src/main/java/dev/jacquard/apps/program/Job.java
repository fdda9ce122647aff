package dev.jacquard.apps.program;

/**
 * One run of a component.
 *
 * @param settings the values of its settings
 * @param output where its files go
 * @param progress what it tells a waiting user
 * @param cancellation asks it to stop
 */
public record Job(Settings settings, OutputFolder output, Progress progress, Cancellation cancellation) {}

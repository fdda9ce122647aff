package dev.jacquard.apps.program;

/**
 * What a component gets for one run.
 *
 * @param settings the values of its settings
 * @param output where its files go
 * @param progress what it tells a waiting user
 * @param cancellation asks it to stop
 */
public record Job(Settings settings, OutputFolder output, Progress progress, Cancellation cancellation) {}

package dev.jacquard.apps.replay;

/**
 * A demotion that happened.
 *
 * @param resource its name
 * @param mode what remained
 * @param time right before the access was given up, nanoseconds from the start of the run
 */
record Demoted(String resource, AccessMode mode, long time) {}

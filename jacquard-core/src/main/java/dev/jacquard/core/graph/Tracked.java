package dev.jacquard.core.graph;

/** What trackers know of the past: a task, or the poison of one that is over and did not end well. */
sealed interface Tracked permits TaskNode, Poison {}

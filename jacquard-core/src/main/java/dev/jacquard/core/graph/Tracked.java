package dev.jacquard.core.graph;

/** An entry of trackers: a task, or the poison of one that is over and did not end well. */
sealed interface Tracked permits TaskNode, Poison {}

package dev.jacquard.core.graph;

/**
 * A change of a task's state.
 *
 * @param id which task: a number of its own in its session, from 0 on in the order of submission as far as there is
 *     one; -1 for tasks of compiled graphs, which are told of from when they run on
 * @param task its name
 * @param graph the name of its graph
 * @param state its state from now on
 * @param nanos when, on the session's clock
 * @param worker the worker that ran the task, or the last one that it waited for; -1 for a thread that submitted or
 *     otherwise acted from outside
 */
public record TaskChange(long id, String task, String graph, TaskState state, long nanos, int worker) {}

package dev.jacquard.core.graph;

/**
 * A change of a task's state.
 *
 * @param id the number of the task in its session, from 0 on, in the order of submission as far as there is one; -1 for
 *     tasks of compiled graphs, whose changes are told from when they run
 * @param task the name of the task
 * @param graph the name of its graph
 * @param state the state of the task from now on
 * @param nanos the time of the change, on the session's clock
 * @param worker the worker that ran the task, or the last one that it waited for; -1 for a thread that submitted or
 *     otherwise acted from outside
 */
public record TaskChange(long id, String task, String graph, TaskState state, long nanos, int worker) {}

package dev.jacquard.core.compiled;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a task that drawings show.
 *
 * @param inner the graph that the task runs; null for none
 * @param chooses true if the task chooses a branch
 * @param repeats true if the task decides on another pass
 * @param chosenBy the branches that the task is in, by the numbers of the tasks that choose
 */
record DrawnTask(@Nullable CompiledGraph inner, boolean chooses, boolean repeats, Map<Integer, Integer> chosenBy) {}

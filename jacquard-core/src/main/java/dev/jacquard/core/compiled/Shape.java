package dev.jacquard.core.compiled;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a task that drawings show.
 *
 * @param inner the graph that it runs; null for none
 * @param chooses whether it chooses a branch
 * @param repeats whether it decides on another pass
 * @param chosenBy the branch that it is in, by the number of the task that chooses
 */
record Shape(@Nullable CompiledGraph inner, boolean chooses, boolean repeats, Map<Integer, Integer> chosenBy) {}

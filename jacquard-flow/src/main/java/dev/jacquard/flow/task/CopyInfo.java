package dev.jacquard.flow.task;

import dev.jacquard.base.machine.Target;
import org.jspecify.annotations.Nullable;

/**
 * Which copy of a task a body serves.
 *
 * @param task the task's name
 * @param index 0 to copies - 1
 * @param copies how many copies the task has
 * @param pipeline which copy of the graph this is, 0 where there is one
 * @param device the device that this copy is bound to, as a target of its own; null when it is bound to none
 */
public record CopyInfo(
        String task,
        int index,
        int copies,
        int pipeline,
        @Nullable Target device) {}

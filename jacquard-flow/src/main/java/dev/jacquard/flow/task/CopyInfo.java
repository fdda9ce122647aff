package dev.jacquard.flow.task;

import dev.jacquard.base.machine.Target;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a task that a body serves.
 *
 * @param task the task's name
 * @param index the number of the copy, 0 to copies - 1
 * @param copies the number of copies of the task
 * @param pipeline the number of the copy of the graph; 0 if there is only one
 * @param device the device that this copy is bound to, as a target of its own; null if the copy is bound to none
 */
public record CopyInfo(
        String task,
        int index,
        int copies,
        int pipeline,
        @Nullable Target device) {}

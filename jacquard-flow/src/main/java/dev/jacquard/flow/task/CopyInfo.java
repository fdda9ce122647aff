package dev.jacquard.flow.task;

/**
 * Which copy of a task a body serves.
 *
 * @param task the task's name
 * @param index 0 to copies - 1
 * @param copies how many copies the task has
 * @param pipeline which copy of the graph this is, 0 where there is one
 */
public record CopyInfo(String task, int index, int copies, int pipeline) {}

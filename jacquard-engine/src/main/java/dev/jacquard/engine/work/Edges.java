package dev.jacquard.engine.work;

/** Adds edges to a task that is being submitted. Valid during that call and for that thread only. */
@FunctionalInterface
public interface Edges {
    /**
     * The task waits for {@code earlier} too. Nothing happens when that one is over, or waits for this task: as for the
     * first member of a tag.
     *
     * @param earlier a task that was submitted before
     * @throws IllegalArgumentException when it was not submitted before, or is no task of this session
     */
    void after(ReadyTask earlier);
}

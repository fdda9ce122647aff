package dev.jacquard.core.graph;

/** The members of a tag that a task comes after. */
public enum TagMembers {
    /**
     * The members submitted before the task. When there are none, the task starts at once, and the report of its graph
     * names the tag.
     */
    SO_FAR,
    /**
     * The members submitted before the task; when there are none, the first member that is submitted later. The
     * submission of a member that would itself wait for the task throws an {@link IllegalStateException}, and nothing
     * is submitted.
     */
    MAY_STILL_COME
}

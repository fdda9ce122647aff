package dev.jacquard.core.graph;

/** The members of a tag that a task comes after. */
public enum TagMembers {
    /** Those submitted before it; when there are none, it starts at once, and the report of its graph names the tag. */
    SO_FAR,
    /**
     * Those submitted before it; when there are none, the first one that is submitted later. A submission throws an
     * {@link IllegalStateException}, and nothing is submitted, when that one would itself wait for the task.
     */
    MAY_STILL_COME
}

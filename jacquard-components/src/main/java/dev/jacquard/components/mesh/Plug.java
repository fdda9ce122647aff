package dev.jacquard.components.mesh;

/**
 * A wire that a program file gives: {@code correct.again: check.again}.
 *
 * @param sink the sink's name, as written
 * @param source the source's name, as written, or {@link #NONE}
 * @param where its place, for messages
 */
public record Plug(String sink, String source, String where) {
    /** The word that leaves an optional sink empty. */
    static final String NONE = "none";
}

package dev.jacquard.apps.replay;

import org.jspecify.annotations.Nullable;

/**
 * A resource.
 *
 * @param name unique among the resources
 * @param parent the name of the resource that it is a part of, or null
 * @param dimensions of its areas; null when the file does not say
 * @param unordered whether conflicting tasks exclude each other in any order; one answer for a whole tree
 */
record ResourceSpec(
        String name, @Nullable String parent, @Nullable Integer dimensions, boolean unordered) {

    /** An ordered resource without a parent. */
    public static ResourceSpec of(String name) {
        return new ResourceSpec(name, null, null, false);
    }
}

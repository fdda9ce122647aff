package dev.jacquard.apps.replay;

import org.jspecify.annotations.Nullable;

/**
 * An access to a resource.
 *
 * @param resource its name
 * @param mode of the access
 * @param area where; null means everywhere
 */
record AccessSpec(
        String resource, AccessMode mode, @Nullable Box area) {
    @Override
    public String toString() {
        return mode.text() + " of \"" + resource + '"' + (area == null ? "" : " " + area);
    }
}

package dev.jacquard.core.testing.random;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What modules above bring; null for what is not there. */
record Fronts(
        @Nullable Formulas formulas,
        @Nullable Components components,
        @Nullable Streams streams) {
    static final Fronts NONE = new Fronts(null, null, null);

    /** Takes out the features that none of these brings. */
    void limit(Set<Feature> enabled) {
        if (formulas == null) {
            enabled.remove(Feature.FORMULAS);
            enabled.remove(Feature.TREES);
        }
        if (components == null) {
            enabled.remove(Feature.COMPONENTS);
        }
        if (streams == null) {
            enabled.remove(Feature.STREAMS);
        }
    }
}

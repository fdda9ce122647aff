package dev.jacquard.expressions.tree;

/**
 * The rules by which a tree gives memory to the fields that it computes and that are not wanted themselves, the
 * temporaries.
 */
public enum FieldPolicy {
    /** Temporaries share memory as soon as the last expression that reads one is computed: the default. */
    DYNAMIC,
    /** Each temporary has memory of its own, and its values stay until the next run. */
    STATIC,
    /** Nothing is fused, and all expressions are stored in memory of their own: to look at everything. */
    KEEP
}

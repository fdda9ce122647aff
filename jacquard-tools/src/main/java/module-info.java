/** Jacquard's tools. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.tools {
    requires static org.jspecify;
}

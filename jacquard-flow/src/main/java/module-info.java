/** Jacquard's flow. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.flow {
    requires static org.jspecify;
    requires transitive dev.jacquard.core;
}

/** Jacquard's backends. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.backends {
    requires static org.jspecify;
}

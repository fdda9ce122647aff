/** Jacquard's bench. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.bench {
    requires static org.jspecify;
}

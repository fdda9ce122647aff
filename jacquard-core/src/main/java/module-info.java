/** Jacquard's core. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.core {
    requires static org.jspecify;
}

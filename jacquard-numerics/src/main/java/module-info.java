/** Jacquard's numerics. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.numerics {
    requires static org.jspecify;
}

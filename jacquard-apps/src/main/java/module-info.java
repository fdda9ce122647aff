/** Jacquard's apps. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.apps {
    requires static org.jspecify;
}

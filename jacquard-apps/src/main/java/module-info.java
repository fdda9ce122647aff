/** Jacquard's apps. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.apps {
    requires static org.jspecify;
    requires transitive dev.jacquard.numerics;

    exports dev.jacquard.apps.image;
    exports dev.jacquard.apps.stitching.align;
}

/** Applications: microscope stitching. */
module dev.jacquard.apps {
    requires static org.jspecify;
    requires dev.jacquard.core;
    requires dev.jacquard.flow;
    requires dev.jacquard.numerics;

    exports dev.jacquard.apps.image;
    exports dev.jacquard.apps.stitching.align;
}

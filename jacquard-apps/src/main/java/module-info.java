/** Applications, and what runs them: components named by program files. */
module dev.jacquard.apps {
    requires static org.jspecify;
    requires dev.jacquard.core;
    requires dev.jacquard.flow;
    requires dev.jacquard.numerics;
    requires ij;

    exports dev.jacquard.apps.image;
    exports dev.jacquard.apps.stitching.align;
}

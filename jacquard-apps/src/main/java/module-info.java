/** Applications: microscope stitching. */
module dev.jacquard.apps {
    requires static org.jspecify;
    requires dev.jacquard.core;
    requires dev.jacquard.flow;
}

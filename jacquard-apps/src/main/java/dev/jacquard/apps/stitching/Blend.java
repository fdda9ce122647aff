package dev.jacquard.apps.stitching;

/** What the mosaic shows where tiles overlap. */
public enum Blend {
    /** A mean, weighted by the distance from each tile's border. */
    LINEAR,
    /** The tile composed last. */
    OVERLAY
}

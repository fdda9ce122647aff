package dev.jacquard.apps.stitching;

/** The value of a pixel where tiles overlap. */
enum Blend {
    /** The mean of the tiles, each weighted by the pixel's distance from the tile's nearest edge. */
    LINEAR,
    /** The tile that was laid down last: lower rows over upper ones, and in a row odd columns over even ones. */
    OVERLAY
}

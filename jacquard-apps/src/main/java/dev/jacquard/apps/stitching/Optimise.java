package dev.jacquard.apps.stitching;

/** How positions are made from the displacements of pairs. */
public enum Optimise {
    /** Displacements stay as correlation found them; positions follow the best of them. */
    NONE,
    /** Displacements are checked and refined; positions follow the maximum spanning tree. */
    TREE,
    /** Displacements are checked and refined; positions are the weighted least-squares fit. */
    LEAST_SQUARES
}

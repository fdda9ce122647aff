package dev.jacquard.apps.stitching.align;

/**
 * A pair to be measured again, in phase 2; {@link Searcher} does it.
 *
 * @param earlier what was measured before, which the search must beat if it was certain
 */
public record Search(Pair pair, Window window, Measurement earlier) {}

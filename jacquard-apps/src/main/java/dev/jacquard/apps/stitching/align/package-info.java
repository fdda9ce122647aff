/**
 * Where the tiles of a plate lie, found from their overlaps: pure functions, which know no engine.
 *
 * <pre>
 *   phase 1   image --TileTransform--> spectrum --PairAligner, per pair--> Measurement
 *   phase 2   all Measurements --Refinement--> StageModel --Search, per pair--> Measurement ... --> Verdict per pair
 *             Verdicts --Optimisation--> Positions
 * </pre>
 *
 * <p>All steps per pair depend on that pair's images and the stage model only, so that they run in any order and on any
 * thread with the same result. A verdict is honest: a pair is trusted when its images speak for its displacement with
 * certainty, no other displacement of the window fits alike ({@code Rivals}), and its stage and its neighbours do not
 * contradict it.
 *
 * <p>Imports: {@code apps.image}, {@code numerics.fft}.
 */
@NullMarked
package dev.jacquard.apps.stitching.align;

import org.jspecify.annotations.NullMarked;

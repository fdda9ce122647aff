/**
 * What tests of this and other modules share (the test-jar): graphs to be compiled, with their sequential runs, kernels
 * that say when their device is told, and in {@link dev.jacquard.core.testing.random} programs with all features.
 */
@NullMarked
package dev.jacquard.core.testing;

import org.jspecify.annotations.NullMarked;

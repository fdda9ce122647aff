/**
 * Races of the hot path, with real threads. Every read-modify-write, full fence and lock there is needed by a test
 * here: take it away, or make it plain, and the test fails or does not end in time.
 *
 * <p>The JUnit tests find what a machine with x86's memory order shows. What only weaker orders would show has a
 * jcstress test that names the pair and its forbidden outcomes; {@code JcstressTest} runs those briefly.
 */
@NullMarked
package dev.jacquard.core.stress;

import org.jspecify.annotations.NullMarked;

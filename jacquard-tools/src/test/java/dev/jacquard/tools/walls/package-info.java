/**
 * The walls of the project, measured on its sources, and the tests that keep them.
 *
 * <pre>
 *  module-info.java, *.java --javac's parser--> SourceFile --Walls--> place by place: a number
 *                                                   \-----WordRates--> uses per 10,000 words
 *  README.md, docs ---------------------------------------Documents--> lengths
 *                                                                         |
 *                            exceptions.txt, constants (they only shrink) +--> WallsTest
 * </pre>
 *
 * <p>Uses the JDK alone, so that {@code scripts/walls} runs it from its sources. To add a wall: a method of
 * {@link dev.jacquard.tools.walls.Walls} or {@link dev.jacquard.tools.walls.Documents}.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.tools.walls;

import org.jspecify.annotations.NullMarked;

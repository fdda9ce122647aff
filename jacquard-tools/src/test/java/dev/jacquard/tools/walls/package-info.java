/**
 * The walls of the project, measured on its sources, and the tests that keep them.
 *
 * <pre>
 *  module-info.java, *.java --javac's parser--> SourceFile --Walls--> place by place: a number
 *                                                                         |
 *                                           exceptions.txt (only shrinks) +--> WallsTest
 * </pre>
 *
 * <p>Uses the JDK alone, so that {@code scripts/walls} runs it from its sources. To add a wall: a method of
 * {@link dev.jacquard.tools.walls.Walls}.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.tools.walls;

import org.jspecify.annotations.NullMarked;

/**
 * Rivals that are no Java programs: small C++ programs of ours, compiled when they are first needed, and talked to over
 * a pipe.
 *
 * <pre>
 *  Source (resources, options) ──g++──▶ Compilation (a program in the user's cache, or a problem)
 *                                          └──started──▶ Program ◀──lines──▶ a contender
 * </pre>
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.bench.rival;

import org.jspecify.annotations.NullMarked;

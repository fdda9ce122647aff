/**
 * Bratu's problem as a program of two nested loops: {@code u'' + L exp(u) = 0} on (0, 1), {@code u = 0} at both ends,
 * followed along its branch of solutions to where {@code L} is largest.
 *
 * <pre>
 *  Predict -> Linearize -> Solve -> Newton ----> Tangent -> Turn
 *     ^           ^-----again--------+                       |
 *     +---------------------again----------------------------+
 * </pre>
 *
 * <p>Source: H. B. Keller, Numerical solution of bifurcation and nonlinear eigenvalue problems, in: Applications of
 * Bifurcation Theory (1977): pseudo-arclength continuation. The scheme is Numerov's, of fourth order.
 *
 * <p>Imports: {@code base.codec}, {@code components.component}, {@code components.program}.
 */
@NullMarked
package dev.jacquard.apps.bratu;

import org.jspecify.annotations.NullMarked;

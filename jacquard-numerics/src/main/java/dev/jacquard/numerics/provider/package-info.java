/**
 * Choosing among the libraries of one kind by name or by rank, for every kind of library alike.
 *
 * <pre>
 *   ServiceLoader --> providers by rank --"auto" or a name--> one that is there, or an error that names all
 * </pre>
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.numerics.provider;

import org.jspecify.annotations.NullMarked;

/**
 * METIS, a library that cuts graphs into parts, called through the foreign function interface when this machine has it.
 *
 * <pre>
 *   WeightedGraph --CompressedGraph: 32-bit arrays, checked--> METIS_PartGraphRecursive --> part of each vertex
 *                                                         +--> METIS_PartGraphKway
 * </pre>
 *
 * <p>Imports: {@code base.foreign}, {@code cluster.partition}.
 */
@NullMarked
package dev.jacquard.libraries.metis;

import org.jspecify.annotations.NullMarked;

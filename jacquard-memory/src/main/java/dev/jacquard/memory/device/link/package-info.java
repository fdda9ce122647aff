/**
 * The speeds of copies between memories: measured on request, kept for each machine, estimated where not measured.
 *
 * <pre>
 *  a measurement --> LinkTable.Measured --LinkFile--> a file in the user's cache
 *                                                                        --LinkTable--> choices of sources and devices
 * </pre>
 *
 * <p>Imports: {@code base.codec}, {@code base.machine}, {@code memory.device}.
 */
@NullMarked
package dev.jacquard.memory.device.link;

import org.jspecify.annotations.NullMarked;

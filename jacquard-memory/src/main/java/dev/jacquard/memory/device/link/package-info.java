/**
 * How fast copies between memories are: measured on request, kept for each machine, estimated where nobody measured.
 *
 * <pre>
 *  LinkMeter --measures--> MeasuredLink --LinkFile--> a file in the user's cache --LinkTable--> who chooses sources and devices
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code memory.device}.
 */
@NullMarked
package dev.jacquard.memory.device.link;

import org.jspecify.annotations.NullMarked;

/**
 * How fast copies between memories are: measured on request, kept for each machine, estimated where nobody measured.
 *
 * <pre>
 *  LinkMeter --measures--> MeasuredLink --LinkFile--> a file in the user's cache --LinkTable--> who chooses sources and devices
 * </pre>
 *
 * <p>Imports: {@code core.clock}, {@code core.device}.
 */
@NullMarked
package dev.jacquard.core.device.link;

import org.jspecify.annotations.NullMarked;

/**
 * A device that needs no hardware: its memory, streams and links are as fast as they are set to be, and it has faults
 * on demand.
 *
 * <pre>
 *  EmulatedDevice.offer("emulated0") ──▶ EmulatedOffer ──open──▶ EmulatedDevice
 *                                         EmulatedOffer.Link, Faults
 *
 *  EmulatedDevice ──┬─▶ EmulatedMemory   a limit, and the buffers within it
 *                   ├─▶ EmulatedStream   a thread; runs EmulatedBody.Code
 *                   └─▶ LinkDirection    in, out: tells when a copy is over
 * </pre>
 *
 * <p>Copies are really made and kernels really run, by the stream's thread; then that thread waits until a device with
 * this link, or with processors that much slower, would be done. Wrong calls fail at least as early as on real devices:
 * new memory holds nonsense, host memory is checked, other devices' kernels are refused.
 *
 * <p>Locks: the monitors of a memory, of a direction and of an event are innermost; a stream's lock is never held while
 * code, a copy or a fault runs.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.machine}, {@code base.text},
 * {@code memory.device}.
 */
@NullMarked
package dev.jacquard.memory.device.emulated;

import org.jspecify.annotations.NullMarked;

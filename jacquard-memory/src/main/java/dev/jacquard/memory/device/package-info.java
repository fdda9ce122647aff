/**
 * The offers of accelerators, and nothing of how they are used: memory, streams, events, kernels.
 *
 * <pre>
 *  DeviceProvider ──discover──▶ DeviceOffer ──open──▶ Device ──┬─▶ DeviceBuffer    memory of its own
 *   (ServiceLoader)              devices that there are        ├─▶ DeviceStream    copies and launches, in order
 *                                or not, and why               │     └─▶ DeviceEvent   a place in a stream
 *                                                              └─▶ DeviceKernel    compiled from a KernelSource
 * </pre>
 *
 * <p>Everything that a stream is told is done later, in order, while the caller goes on; what went wrong comes out of
 * the event behind it. Every kind of device passes the same suite of tests. What devices have in common, such as the
 * threads that wait for events, lies above this package.
 *
 * <p>Imports: {@code base.machine}, {@code base.service}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.memory.device;

import org.jspecify.annotations.NullMarked;

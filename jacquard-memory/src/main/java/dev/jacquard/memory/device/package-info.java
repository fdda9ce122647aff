/**
 * The offers of accelerators, and nothing of how they are used: memory, streams, events, kernels.
 *
 * <pre>
 *  DeviceProvider ──discover──▶ DeviceOffer ──open──▶ Device ──┬─▶ DeviceBuffer    its own memory
 *   (ServiceLoader)              devices that there are        ├─▶ DeviceStream    copies and launches, in order
 *                                or not, and why               │     └─▶ DeviceEvent   a place in a stream
 *                                                              └─▶ DeviceKernel    compiled from a KernelSource
 * </pre>
 *
 * <p>All operations of a stream are done later, in order, while the caller goes on; a failure comes out of the event
 * after it. Every kind of device passes the same suite of tests. The common parts of devices, such as the threads that
 * wait for events, lie above this package.
 *
 * <p>Imports: {@code base.machine}, {@code base.service}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.memory.device;

import org.jspecify.annotations.NullMarked;

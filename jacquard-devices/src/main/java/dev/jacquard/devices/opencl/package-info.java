/**
 * Devices that are reached through OpenCL: any vendor's, several platforms, called by {@code base.foreign}.
 *
 * <pre>
 *  OpenClProvider ─▶ OpenClOffer ─▶ OpenClPlatform (one context) ─▶ OpenClDevice
 *                                                                   ├─▶ OpenClBuffer, OpenClPinned
 *                                                                   ├─▶ OpenClStream ─▶ History: its first failure
 *   ClLibrary: is there a loader?                                   │       └─▶ OpenClEvent (a cell of EventCells)
 *   ClFunctions: its functions                                      └─▶ Programs ─▶ OpenClKernel ─▶ Parameter
 *   ClStatus: statuses become exceptions, here only
 * </pre>
 *
 * <p>A stream is a queue that runs in order, and each of its commands also waits, by name, for the one before. The
 * specification leaves open the behaviour of an in-order queue after a failed command, but a command with a failed
 * event in its wait list is not run, and fails as well. A place in a stream is therefore the event of its last command,
 * and costs no additional command.
 *
 * <p>Ownership: a device owns an arena that is shared between threads and holds every scratch memory and cell; it is
 * closed last, after streams (which wait), kernels, events and buffers. Handles of OpenCL are opaque and travel as
 * {@code long}. There are no call-backs into Java: a thread that needs the end of a command waits in the driver.
 *
 * <p>One thread at a time may use a stream with its scratch memory, and a {@code cl_kernel} with its arguments, under
 * its own lock. That lock is taken before the one of a {@link dev.jacquard.devices.opencl.History}, and none after
 * that.
 *
 * <p>Source: Khronos, The OpenCL Specification, version 1.2.
 *
 * <p>Imports: {@code base.failure}, {@code base.foreign}, {@code base.machine}, {@code memory.device}.
 */
@NullMarked
package dev.jacquard.devices.opencl;

import org.jspecify.annotations.NullMarked;

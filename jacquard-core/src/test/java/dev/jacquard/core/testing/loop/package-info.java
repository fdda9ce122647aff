/**
 * A loop of tasks on a device that must not grow, for the tests of this and other modules (the test-jar).
 *
 * <pre>
 *  DeviceLoop: kernels (MixKernel), releases, compiled runs, lap by lap --> Footprint: what the process takes
 *      \-- the same over plain arrays (Elements): is it the same?
 * </pre>
 *
 * <p>May import data, device, graph, session, testing.
 */
@NullMarked
package dev.jacquard.core.testing.loop;

import org.jspecify.annotations.NullMarked;

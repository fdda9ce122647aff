/**
 * Random programs of tasks on data, for the tests of this and other modules (the test-jar).
 *
 * <pre>
 *  seed --> DataPrograms --> DataProgram --submit--> DataTrial (a session) --states, what was seen--> PlainLoop: is it the same?
 *           DataMixture: workers, policy, devices, limits, disk ---^
 * </pre>
 *
 * <p>All elements are 64-bit integers that every kind of device computes alike, so that results are equal bit for bit.
 * Each submitter writes its own rows and reads these and fields that no task writes, so that there is one right result
 * however the submitters meet. May import data, device, graph, schedule, session, testing.random.
 */
@NullMarked
package dev.jacquard.core.testing.data;

import org.jspecify.annotations.NullMarked;

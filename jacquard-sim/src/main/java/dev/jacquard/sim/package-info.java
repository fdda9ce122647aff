/**
 * Runs graphs of tasks under virtual time, with the policies of the engine and without its threads.
 *
 * <pre>
 *  WorkGraph, Options --> Simulation --> PolicyRun: a policy decides task by task --> Timeline --> SimulatedRun
 *                                    --> PlanRun: a policy has placed all tasks  -->
 *
 *  PolicyRun --> Kernels: the host or a device, for each task that is submitted
 *            --> HostPool: ready tasks of the host --> OrderPool (the policy's orders)
 *                                                  --> DequePool (the workers' own deques)
 *            --> SentTasks: ready tasks that were placed, of devices above all
 * </pre>
 *
 * <p>The same objects decide as in the engine: {@code PolicyGuard}, which keeps the contract, {@code ReadyOrder},
 * {@code Placement}, {@code GraphPlacement}, and {@code Aging} for the deques. Nothing is static, so any number of
 * simulations run at a time. The ends of tasks and the arrivals of data are the only events; one run is confined to one
 * thread.
 *
 * <p>Imports: {@code base.concurrent}, {@code base.machine}, {@code engine.model}, {@code engine.plan},
 * {@code engine.schedule}, {@code engine.work}.
 */
@NullMarked
package dev.jacquard.sim;

import org.jspecify.annotations.NullMarked;

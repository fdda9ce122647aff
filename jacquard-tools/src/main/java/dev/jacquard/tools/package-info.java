/**
 * The command line: {@code ./jacquard COMMAND}.
 *
 * <pre>
 *  Main ──▶ JacquardCommand ─┬─▶ RunCommand ──▶ components.run ──▶ a component
 *                            ├─▶ ReplayCommand ──▶ apps.replay
 *                            ├─▶ SimulateCommand ──▶ apps.graphs, sim
 *                            ├─▶ BenchCommand ──▶ bench
 *                            ├─▶ ComponentsCommand
 *                            └─▶ MachineCommand
 *  errors ──▶ FailureHandler ──▶ "jacquard: message" on standard error, exit code 0, 1 or 2
 * </pre>
 *
 * With {@code --json} standard output gets one JSON document, also of an error, and nothing else. To add a command: one
 * class here, named in {@link dev.jacquard.tools.JacquardCommand}.
 *
 * <p>Imports: {@code apps.graphs}, {@code apps.image}, {@code apps.replay}, {@code base.clock}, {@code base.machine},
 * {@code base.text}, {@code base.trace}, {@code bench}, {@code bench.workload}, {@code cluster.communicator},
 * {@code components.component}, {@code components.program}, {@code components.run}, {@code drawing}, {@code engine},
 * {@code engine.model}, {@code engine.plan}, {@code engine.schedule}, {@code flow.report}, {@code libraries.hwloc},
 * {@code memory.device}, {@code memory.device.link}, {@code numerics.blas}, {@code numerics.fft},
 * {@code numerics.provider}, {@code sim}.
 */
@NullMarked
package dev.jacquard.tools;

import org.jspecify.annotations.NullMarked;

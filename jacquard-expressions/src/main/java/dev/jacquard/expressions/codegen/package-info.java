/**
 * Loops made while the program runs, one for all bodies of one shape: as bytecode, and as kernels of devices.
 *
 * <pre>
 *   Body ──┬── Loops ── LoopClass ── LoopWriter ──┬── Scalars   one point at a time
 *          │                                      └── Vectors   as many as the lanes of a vector
 *          └── KernelLoop ── KernelText   OpenCL C, CUDA C: a work item per point
 * </pre>
 *
 * <p>A {@link dev.jacquard.expressions.codegen.LoopWriter} walks over a body once and leaves to a
 * {@link dev.jacquard.expressions.codegen.Representation} how the values of the points look like. All forms compute the
 * bits that the {@link dev.jacquard.expressions.codegen.Interpreter} computes. A new form is a new representation and a
 * constant of {@link dev.jacquard.expressions.codegen.Loops.Form}. A body may become several loops: values that its
 * points share with neighbours are computed first ({@link dev.jacquard.expressions.codegen.RowCacheLoop}), and a body
 * that is too large for the JVM is split ({@link dev.jacquard.expressions.codegen.SplitLoop}).
 *
 * <p>Imports: {@code base.clock}, {@code base.machine}, {@code expressions.loop}, {@code memory.data},
 * {@code memory.device}.
 */
@NullMarked
package dev.jacquard.expressions.codegen;

import org.jspecify.annotations.NullMarked;

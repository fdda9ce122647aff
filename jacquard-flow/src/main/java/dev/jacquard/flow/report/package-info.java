/**
 * Reports of runs: counts of items, failures, profiles and their drawings.
 *
 * <pre>
 *  run --> FlowReport (done, failed, cancelled per task)
 *      --> FlowProfile (time, queues, buffers) --> SvgDrawing, DotDrawing, ProfileText, ProfileJson
 *               two of them --> ProfileComparison
 * </pre>
 *
 * <p>To add a drawing, write a class that reads a {@link dev.jacquard.flow.report.FlowProfile}.
 *
 * <p>Imports: {@code base.text}, {@code core.execution}, {@code drawing}.
 */
@NullMarked
package dev.jacquard.flow.report;

import org.jspecify.annotations.NullMarked;

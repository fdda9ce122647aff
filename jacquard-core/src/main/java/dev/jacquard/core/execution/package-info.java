/**
 * The life of any run, written once for task graphs, compiled graphs and flows: its failures, how many tasks or items
 * ended how, and the text of its report.
 *
 * <pre>
 *  a task fails --> FailureLog --(a wait ends)--> one exception: the first failure, the others suppressed
 *                                                   the report (Ends), the first task cancelled, how many are left out
 * </pre>
 *
 * <p><strong>Waits.</strong> There is one rule. A wait ends when the work is over, or when the thread is interrupted;
 * then the work goes on, the wait throws, and the interrupt flag is set again. Only the caller cancels. Closing ends
 * the work and so is no wait: it cancels, and returns when no code of the run is at work.
 *
 * <p>Exported to flow only.
 *
 * <p>Imports: {@code base.failure}.
 */
@NullMarked
package dev.jacquard.core.execution;

import org.jspecify.annotations.NullMarked;

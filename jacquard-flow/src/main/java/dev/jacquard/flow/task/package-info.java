/**
 * The interfaces that users implement and call: bodies of tasks, rules of bookkeepers, emitters of results.
 *
 * <pre>
 *  item --> Body.execute(item, Emitter) --> emit: to every consumer
 *  item --> Rule.apply(item, pipeline, Emitter), one after the other --> emit: to the tasks after that rule
 * </pre>
 *
 * <p>An item that fails goes to the {@link dev.jacquard.flow.task.ErrorHandler} of its task, if there is one.
 *
 * <p>The items that wait for a task may be in a queue of the user's, {@link dev.jacquard.flow.task.WaitingItems}.
 *
 * <p>To add a kind of task, implement {@link dev.jacquard.flow.task.Body}.
 *
 * <p>Imports: {@code base.machine}, {@code flow.memory}, {@code flow.pipeline}.
 */
@NullMarked
package dev.jacquard.flow.task;

import org.jspecify.annotations.NullMarked;

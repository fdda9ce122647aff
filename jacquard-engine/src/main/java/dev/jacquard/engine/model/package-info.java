/**
 * The engine's knowledge of the machine: how long tasks and kernels run.
 *
 * <pre>{@code
 * TimeModel (a session's) --> NameTimes --> LearnedTime, one per place and size class
 *     |                           +--> PowerFit over the size classes
 *     +--> KeptTimes <--> TimeFile (of the machine) <--> TimeText
 * }</pre>
 *
 * <p>Imports: {@code base.concurrent}, {@code base.machine}.
 */
@NullMarked
package dev.jacquard.engine.model;

import org.jspecify.annotations.NullMarked;

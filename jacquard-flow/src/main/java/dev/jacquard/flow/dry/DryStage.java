package dev.jacquard.flow.dry;

import dev.jacquard.flow.task.Body;
import java.util.function.ToLongFunction;

/**
 * The parts of a task that a dry run has in place of the body.
 *
 * @param body maps an item to the items that go out, takes and releases; without data
 * @param nanos the time that an item takes
 */
public record DryStage(Body<Object, Object> body, ToLongFunction<Object> nanos) {}

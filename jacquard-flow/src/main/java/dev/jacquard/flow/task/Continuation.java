package dev.jacquard.flow.task;

/**
 * The rest of the work on an item, once the engine tasks that the body submitted for the item are over.
 *
 * @param <B> the type of the items that go out
 */
@FunctionalInterface
public interface Continuation<B> {
    /**
     * Continues the phase that asked for this continuation. The same copy runs it, never while another phase of the
     * copy runs.
     */
    void run(Emitter<B> out) throws Exception;
}

package dev.jacquard.flow.task;

/**
 * What a body does with an item once the engine's tasks that it submitted for that item are over.
 *
 * @param <B> items that go out
 */
@FunctionalInterface
public interface Continuation<B> {
    /** Goes on: a part of the phase that said so, by the same copy, and not while another phase of it is at work. */
    void run(Emitter<B> out) throws Exception;
}

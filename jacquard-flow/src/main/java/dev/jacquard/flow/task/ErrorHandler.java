package dev.jacquard.flow.task;

/**
 * Is notified of an item that is dropped since its body failed, so that the run goes on: see
 * {@link dev.jacquard.flow.FlowTask#onError}.
 *
 * <p>Threads: all copies of a task share the handler, so several threads may call it at once.
 *
 * @param <A> the type of the items that come in
 * @param <B> the type of the items that go out
 */
@FunctionalInterface
public interface ErrorHandler<A, B> {
    /**
     * Reports the item, and may emit a substitute for its results. The buffers that the item held are valid until this
     * returns; no emitted item may hold them. An exception that this throws fails the run.
     *
     * @param failure the exception of the body, of one of its continuations or of an engine task of the item
     * @param out for items that take the place of the results, and for the release of buffers that the runtime does not
     *     find; valid during this call only
     */
    void dropped(A item, Exception failure, Emitter<B> out) throws Exception;
}

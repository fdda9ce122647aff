package dev.jacquard.flow.task;

/**
 * A rule of a bookkeeper: keeps the state of the computation and decides when there is new work for the task behind it.
 *
 * <p>Threads: called by one thread at a time, under a lock of the rule (its monitor), also when bookkeepers of several
 * copies of a graph share it; it sees the items of one bookkeeper in the order in which they came. It should be quick
 * and must not block. What it throws fails the run.
 *
 * <p>Source: Blattner's thesis on the Hybrid Task Graph Scheduler, chapter 4.1 and 5.2 "Rules".
 *
 * @param <A> items that come in
 * @param <B> items that go out
 */
@FunctionalInterface
public interface Rule<A, B> {
    /**
     * Takes note of {@code item}, and emits what can be done now.
     *
     * @param pipeline which copy of the graph the item comes from, 0 where there is one
     */
    void apply(A item, int pipeline, Emitter<B> out) throws Exception;
}

package dev.jacquard.flow.task;

/**
 * A rule of a bookkeeper: keeps the state of the computation and decides when there is new work for the tasks after it.
 *
 * <p>Threads: called by one thread at a time, under the monitor of the rule, even if bookkeepers of several copies of a
 * graph share the rule. A rule sees the items of one bookkeeper in the order in which they came. A rule should be quick
 * and must not block. An exception that a rule throws fails the run.
 *
 * <p>Source: Blattner's thesis on the Hybrid Task Graph Scheduler, chapter 4.1 and 5.2 "Rules".
 *
 * @param <A> the type of the items that come in
 * @param <B> the type of the items that go out
 */
@FunctionalInterface
public interface Rule<A, B> {
    /**
     * Records {@code item}, and emits the work that can be done now.
     *
     * @param pipeline the number of the copy of the graph in its pipeline, whose bookkeeper got the item; 0 if there is
     *     no pipeline
     */
    void apply(A item, int pipeline, Emitter<B> out) throws Exception;
}

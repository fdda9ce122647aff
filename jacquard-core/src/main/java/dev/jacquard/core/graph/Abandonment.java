package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The end of the tasks of a domain whose engine has ended before its time. No worker runs them any more, and a task
 * that a policy lost is in no queue in which it could be found. So they are not ended one by one: their stages, which
 * are known here, complete with the reason of the engine's end, and once the engine is closed they count as cancelled.
 *
 * <pre>
 *  the engine fails    stages complete, except stages of running tasks: a worker, or a driver, may still end these
 *  it is closed        all stages complete; tasks that are not over are cancelled, as others see them
 * </pre>
 *
 * <p>Threads: any.
 */
final class Abandonment {
    private final Dispatcher dispatcher;
    /** The stages that are not complete. Strong: nothing else may hold the stage of a task that was lost. */
    private final Set<StageLink<?>> open = ConcurrentHashMap.newKeySet();
    /** These are set before the stages are looked at: a stage that comes later sees it. */
    private volatile boolean begun;

    private volatile boolean over;

    Abandonment(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
        dispatcher.whenBroken(this::begin);
    }

    /** Returns true if tasks that are not over never will be. */
    boolean isOver() {
        return over;
    }

    /** Knows a stage, which may be complete by now, until it is {@linkplain #forget forgotten}. */
    void know(StageLink<?> stage) {
        open.add(stage);
        if (stage.isComplete()) { // perhaps before it was known, and then it is not forgotten
            forget(stage);
        } else {
            look(stage);
        }
    }

    /** Forgets a stage, which is complete. */
    void forget(StageLink<?> stage) {
        open.remove(stage);
    }

    /** The engine has failed, and starts nothing more. */
    private void begin() {
        begun = true;
        open.forEach(this::look);
    }

    /** No worker is left, nor a driver's function. Does nothing where the engine has not ended before its time. */
    void end() {
        try {
            dispatcher.requireUnbroken();
        } catch (RuntimeException e) { // the stages complete with another one each
            over = true;
            open.forEach(this::look);
        }
    }

    private void look(StageLink<?> stage) {
        if (over || (begun && !stage.runs())) {
            stage.neverOver();
        }
    }
}

package dev.jacquard.core.graph;

/**
 * A phase of a {@link TaskRun}.
 *
 * <pre>
 *  WAITING ──▶ STAGING ──▶ RUNNING ──▶ SUSPENDED ──▶ JOINING ──▶ OVER
 *     └───────────────────────▲  └──────────────────────▲
 *                STAGING, RUNNING ◀── another try, or what is left to do after the sub-tasks
 * </pre>
 *
 * A task may skip every state but the first and the last.
 */
enum RunPhase {
    /** The task waits for earlier tasks, for a worker, or for unordered resources. */
    WAITING,
    /** The task's data is on the way to the place where the task runs, or waits for room there. */
    STAGING,
    /** The body runs. */
    RUNNING,
    /** The body has left a stage, which goes on without a worker. */
    SUSPENDED,
    /** The body is over, and sub-tasks go on. */
    JOINING,
    /** The task is over. */
    OVER;

    /** Returns the phase that a group is told. */
    TaskGroup.Phase told() {
        return switch (this) {
            case WAITING, OVER -> TaskGroup.Phase.ELSEWHERE;
            case STAGING -> TaskGroup.Phase.STAGING;
            case RUNNING, SUSPENDED, JOINING -> TaskGroup.Phase.RUNNING;
        };
    }
}

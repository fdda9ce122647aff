package dev.jacquard.core.graph;

/**
 * A phase of a {@link TaskRun}. It is reported to the task's group, and decides if a thread outside may adjust the
 * task.
 *
 * <pre>
 *  WAITING ──▶ TAKEN ──▶ STAGING ──▶ RUNNING ──▶ SUSPENDED ──▶ JOINING ──▶ OVER
 *                           ▲                                     │
 *                           └── RETRYING, or work left to do ◀────┘
 * </pre>
 *
 * A task may skip every phase but the first and the last.
 */
enum RunPhase {
    /** The task waits for earlier tasks, or for a worker. */
    WAITING(TaskGroup.Phase.ELSEWHERE, true),
    /** A worker has taken the task, which gets its unordered resources, or waits for these. */
    TAKEN(TaskGroup.Phase.ELSEWHERE, false),
    /** The task's data is on the way to the place where the task runs, or waits for room there. */
    STAGING(TaskGroup.Phase.STAGING, false),
    /** The body runs. */
    RUNNING(TaskGroup.Phase.RUNNING, true),
    /** The body has left a stage, which goes on without a worker. */
    SUSPENDED(TaskGroup.Phase.RUNNING, true),
    /** The try is over, and the next one waits for a worker. */
    RETRYING(TaskGroup.Phase.ELSEWHERE, false),
    /** The body is over, and its stage; sub-tasks may go on. */
    JOINING(TaskGroup.Phase.RUNNING, false),
    /** The task is over. */
    OVER(TaskGroup.Phase.ELSEWHERE, false);

    final TaskGroup.Phase told;
    /** True if threads outside may refine or demote the task. */
    final boolean adjustable;

    RunPhase(TaskGroup.Phase told, boolean adjustable) {
        this.told = told;
        this.adjustable = adjustable;
    }
}

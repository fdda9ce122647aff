/**
 * Workers that run ready nodes.
 *
 * <pre>
 *                      ready(node)                          steal
 *  submitter = worker 0 ----------> deque 0 (LIFO for it) ---------> worker 1, 2, …
 *  running node --readyAtEnd------> next (no queue)
 *  any other thread --ready-------> inbox (FIFO) -----------------> the first that looks
 *  a main node, from anywhere ----> main queue (FIFO) ------------> the main thread alone
 *  a target's node, from anywhere > its queue (FIFO) -------------> that target's workers alone
 * </pre>
 *
 * <p>The thread that opened the session is worker 0 and runs nodes while it waits; the others have their own threads,
 * which take their newest node first, then the inbox, then the oldest of another worker, then look again for a short
 * while, then sleep. A node in the inbox comes before the newest one, but not twice in a row: neither chains without
 * end nor threads that submit without end hold up the other. A flag on a separate cache line says whether there is one,
 * so that the question costs a busy worker next to nothing: {@link dev.jacquard.engine.News}.
 *
 * <p><strong>Files.</strong> An order of reading, from the bottom up:
 *
 * <pre>
 *  WorkDeque · News · PlaceQueue · PolicyQueues   where ready nodes are
 *  Sleepers · Waiters                             the threads that sleep, and how they are woken
 *  WorkerPool                                     all of these: shared by the workers
 *  WorkerState -- NodeFinder -- Worker            one worker: its fields, its next node, its steps
 *  EngineThreads · WaitLoop                       who calls the steps: the engine's threads, a thread that waits
 *  Timers · CachedThreads                         later actions, and users' code that no worker runs
 *  BackgroundFront -- PolicyFront -- Engine       the view of fronts
 * </pre>
 *
 * <p><strong>Sleep.</strong> A worker counts itself, announces that it sleeps, with a full fence, and then looks at
 * every queue again; who puts a node into a queue passes a full fence (into the inbox: writes a volatile field) and
 * then looks for sleepers. Of the two one sees the other, so no node waits while a worker sleeps. A node that runs next
 * on the same worker is in no queue, and costs no fence; nodes made ready at the end of a node share one, and wake one
 * worker: a thief that leaves nodes in the deque wakes the next worker. With one worker there is no other to wake and
 * no fence at all.
 *
 * <p><strong>Places.</strong> The main thread is worker 0 unless the session names another thread, which then is a
 * separate worker, with a deque: it takes main nodes, and the nodes that these made ready, while it waits; others steal
 * the rest. Workers of a target are threads that take from its queue alone. Who adds to the queue of a place writes a
 * volatile field and then reads which of its workers sleep; these say so in a volatile field and then look into the
 * queue.
 *
 * <p><strong>Policies.</strong> Under a policy its orders take the place of deques and inbox, and a
 * {@link dev.jacquard.engine.schedule.PolicyGuard} makes all calls of it: {@link dev.jacquard.engine.PolicyRunner} has
 * the diagram, and how workers sleep and how a policy that keeps tasks back is found out. The thread that opened the
 * session is away while it does not wait: it says so in a volatile field, then looks whether it leaves tasks; who
 * places a task on it counts the task, then looks whether it is away; who goes to sleep looks for tasks that were left.
 *
 * <p><strong>Loops.</strong> A worker that found no node helps with the loops that others run inside of a task, part by
 * part. Who opens a loop writes a volatile field and then looks for sleepers, who announce themselves and then look
 * there.
 *
 * <p><strong>Steal.</strong> A stolen node moves half a dozen cache lines, there and back, which between some cores
 * takes longer than short nodes do. A thief compares how many nodes it and its victim run while it steals and while it
 * does not: {@link dev.jacquard.engine.StealBackoff} has the rule.
 *
 * <p><strong>Wait.</strong> A thread that waits for a task or a graph ({@link dev.jacquard.engine.Engine#await}) is
 * woken by the worker that ends it, and by nothing else but the engine's end.
 * {@link dev.jacquard.engine.Engine#awaitUntil} is for questions that the engine knows nothing of: it registers the
 * waiter, passes a full fence, and asks its question; a thread that changes the answer does so first, passes a full
 * fence, and then looks for waiters. A worker that runs out of work looks for these waiters too; one that never runs
 * out of work looks now and then, after each node where nodes are long.
 *
 * <p><strong>Interrupts.</strong> An interrupt that comes while a thread runs a node belongs to the node, and is
 * forgotten when the node is over: later nodes do not see it, and it ends no wait. An interrupt that comes between
 * nodes, or while a thread of the user's sleeps, ends the wait.
 *
 * <p><strong>Watch.</strong> The running node of a worker, its deque and all queues can be looked at by any thread
 * ({@link dev.jacquard.engine.Engine#visit}), without an order and without holding any thread up. Waiting threads park
 * with a time limit, and see by the workers' own counters that nothing has moved since:
 * {@link dev.jacquard.engine.StallWatch}. Whether all have nothing to do is asked by {@code IdleLook}, where a front
 * must not give up before that.
 *
 * <p><strong>Background.</strong> One platform thread runs the engine's own timed actions: interrupts, ends of waits,
 * looks. They are short, call no users' code, and take no lock under which users' code runs, so that limits and
 * deadlines are not late because users' code is busy. All other code that no worker runs is users' code:
 * {@link dev.jacquard.engine.CachedThreads} gives each action a platform thread, so that none waits for another.
 * Virtual threads share their platform threads with all others of the program, and run nothing but the actions that the
 * user sends there ({@link dev.jacquard.engine.Engine#virtualThread}).
 *
 * <p><strong>Locks.</strong> The monitors of the list of waiters, of the queue of timers, of the idle background
 * threads and of the next action of each, of the list of loops and of a loop's failure. Nothing of ours and no user
 * code is called under them. A policy that wants exclusive calls is called under its own monitor, the innermost, and
 * must not call back.
 *
 * <p>Threads are made here and nowhere else.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.failure}, {@code base.machine},
 * {@code base.service}, {@code base.text}, {@code base.trace}, {@code engine.model}, {@code engine.schedule},
 * {@code engine.work}.
 */
@NullMarked
package dev.jacquard.engine;

import org.jspecify.annotations.NullMarked;

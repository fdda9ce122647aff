/**
 * Runs a checked graph: stages with queues, copies with bodies, a ledger of buffers.
 *
 * <pre>
 *  send --> Input --> Inbox --> Stage (queue) --> Copy (body) --> Outlet --> Stage ... --> OutputQueue --> fetch
 *                                 ^   |              |
 *                                 |   +-- Ledger <---+ take, release
 *                                 +-------- granted items
 *
 *  Copy --graph()--> engine's tasks (Submissions) --all over--> DeferredItems --wakes the copy--> emit, release
 * </pre>
 *
 * <p>Locks, in the order in which they may nest: input or rule, ledger, stage. A run's own lock, a loan's lock and
 * those around engine tasks (submissions, deferred items, busy times) are held alone. Every one of them guards fields that several threads write; a stage's is paid once per batch of items. A copy's own
 * thread has a lock against interrupts, held alone too.
 *
 * <p>Tests: {@code HotPathStressTest} fails or hangs without any of the locks, fences and volatiles on the way of an item;
 * {@code RuntimeRaces} has jcstress tests for the orders that x86 keeps by itself.
 *
 * <p>May import task, memory, report and the core. Not exported. To add an item order: an {@code ItemQueue}; to add
 * something that takes items: a {@code Target}.
 */
@NullMarked
package dev.jacquard.flow.runtime;

import org.jspecify.annotations.NullMarked;

/**
 * Runs a checked graph: stages with queues, copies with bodies, a ledger of buffers.
 *
 * <pre>
 *  send --> Input --> Inbox --> Stage (queue) --> TaskInstance (body) --> Outlet --> Stage ... --> OutputQueue
 *                                 ^   |                   |
 *                                 |   +-- BufferGrants &lt;--+ take, release (Loans)
 *                                 |         (a Line per stage that takes, a TicketSet per stage before it)
 *                                 +-------- granted items
 *
 *  items that an instance and its Outlets hold back (HeldBack) --Courier, at intervals--> as if the batch were done
 *  results of a task that keeps the order of its items: ItemScope --> EmissionOrder --in turn--> Outlet
 *  items that an instance drops: ItemScope holds back their results, gives back their buffers, calls the handler
 *  graph() --> engine's tasks (Submissions) --all over--> DeferredItems --wakes the instance--> emit, release
 * </pre>
 *
 * <p>From the bottom up: how copies sleep and are woken ({@link Wakeable}, {@link Sleepers}, {@link WakeList}); items
 * and their queues ({@link Numbered}, {@link ItemQueue}, {@link Inbox}), which may decide which copy takes an item
 * ({@link RoutedItems}, {@link TargetTimes}, {@link RoutedCopy}); buffers ({@link Pool}, {@link KeyedBuffers},
 * {@link TicketSet}, {@link Line}, {@link Overtaking}, {@link Slotted}, {@link BufferGrants}, {@link Loans}); tasks
 * ({@link Stage}, {@link Feed}); copies ({@link EmittingCopy}, {@link Outlet}, {@link ItemScope}, {@link BodyCalls},
 * {@link TaskInstance}); runs ({@link RunLife}, {@link Assembly}, {@link Sending}, {@link Results}, {@link Run}), their
 * ends for publishers and subscribers ({@link RunSignal}, {@link Feeding}, {@link Delivery}), and figures
 * ({@link CopyCounters}, {@link StageFigures}).
 *
 * <h2>Buffers</h2>
 *
 * <p>An item carries a <em>ticket</em>: the number of the item from outside that it comes from. An item that a task or
 * rule emits has the ticket of the item that the task or rule works on; an item that a start task, an idle phase or a
 * shutdown emits comes from outside. The signal of a start task that takes buffers counts as an item from outside; the
 * items that the task then emits come after the signal, one after the other, and before all items that came from
 * outside since. One item comes <em>before</em> another when its ticket is smaller, or when the tickets are equal, the
 * first item is further down the graph, and the other has passed no task that takes buffers. A request for buffers is
 * <em>in turn</em> when no item that may still ask one of its edges comes before it, whether that item is in a line, in
 * a queue or in a body.
 *
 * <pre>
 *  in turn, and every buffer free           --> granted
 *  not in turn, but the edge's smallest size was stated,
 *    fewer buffers than lie beyond it are lent out of turn,
 *    and no item of the same ticket holds any, if this one may ask again  --> granted
 *  else                                     --> waits, whatever is free
 * </pre>
 *
 * <p>The guarantee: where a run that works through one item from outside after the other, each to its end, needs
 * {@code n} buffers of an edge, a run with {@code n} or more does not stand still for want of them, with any number of
 * workers and copies. Proof sketch: suppose that nothing moves. Then every item on its way waits in a line. The first
 * of them in the order is in turn, so one of its edges has too few free buffers. No item with a larger ticket holds a
 * buffer of this edge in turn: when the buffer was granted, an ancestor of the first item was on its way and could
 * still ask. Buffers that are lent out of turn leave {@code n} others. So the missing buffers are held by smaller
 * tickets, none of which is on its way, and by the first item's own ticket; the run of one item after the other holds
 * the same buffers at this point, and goes on.
 *
 * <p>A task with a comparator serves its least item in turn. If items hold no buffers yet, an item that overtakes
 * others gets a ticket that no other item has, as if it had come from outside before them. Between two tasks that take
 * buffers, the order decides among items of one ticket only; see {@link Line}.
 *
 * <p>The slots of a bounded edge between two tasks are a {@link Pool} without buffers. An item at the producer is
 * granted as many as it may emit items; an {@link Outlet} uses one per item, a {@link Slotted} item carries it, and the
 * copy that takes the item from its stage's queue frees it. So an item that waits may hold slots, but only of edges
 * that end where it waits: no item further down waits for them, unless the edge is part of a cycle, and the guarantee
 * holds. Its ticket never becomes a younger one, since elder items may wait for its slot.
 *
 * <p>The limits: the order of a task with a comparator is the user's, and {@code n} is the number for that order. A
 * rule may see items of several tickets in any order, so the number of buffers that the rule holds back must not depend
 * on that order. Of equal tickets, items that have passed a task that takes buffers are in no order, and may hold
 * buffers at the same time. A body that waits for a buffer that its task did not declare, or for another item, is
 * outside of the guarantee; an item that never ends holds back the items after it, except for buffers that are lent out
 * of turn.
 *
 * <h2>Locks</h2>
 *
 * <p>Locks, in the order in which they may nest: input or rule or departures or an {@link EmissionOrder}, outlet,
 * ledger, stage. A run's own lock, a loan's lock and the locks around engine tasks (submissions, deferred items, busy
 * times) are held alone. Every lock guards fields that several threads write; the lock of a stage is taken once per
 * batch of items, that of the input once per item that is sent alone, so it is a spin lock where it can be (see
 * {@code Input}). A copy's own thread has a lock against interrupts, held alone too. A {@link RunSignal} is sent under
 * any of them, and only hands work to background threads.
 *
 * <p>A full stack, or a full heap, may break a call off half way: in {@code emit}, an item may be with some consumers
 * and not with others, and copies that were to be woken are on no list any more. The call notes its error in the
 * engine's field for the error that ended it, since there may be no stack left for a call; the end of the activation,
 * or the caller, has all waits throw it. Errors of users' code, such as allocators, do not count.
 *
 * <p>Tests: {@code HotPathStressTest} fails or hangs without any of the locks, fences and volatiles on the way of an
 * item; {@code RuntimeRaces} has jcstress tests for the orders that x86 keeps by itself.
 *
 * <p>Not exported. To add an item order, implement {@code ItemQueue}; to add a consumer of items, implement
 * {@code ItemSink}.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.failure}, {@code base.machine},
 * {@code base.text}, {@code base.trace}, {@code core.execution}, {@code core.graph}, {@code core.session},
 * {@code engine}, {@code engine.model}, {@code engine.work}, {@code flow.memory}, {@code flow.pipeline},
 * {@code flow.report}, {@code flow.task}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.flow.runtime;

import org.jspecify.annotations.NullMarked;

package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.flow.task.WaitingItems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The setup of a stage: its task, and its part in the run's memory edges and circles.
 *
 * <p>Threads: written before the start, constant afterwards.
 */
final class StageSetup {
    final StagePlan plan;
    final List<CopyInfo> copies;
    /** The buffers that each item needs. */
    final BufferNeed[] needs;
    /** The times in which engine tasks of the copies were at work. */
    final BusyTime busy;

    /** Notified of a comparator that threw, while a lock is held, and of the item that failed. Takes no lock. */
    private final BiConsumer<Object, Throwable> faults;
    /**
     * The place of items from their arrival until they are done, or have their buffers; null if it is of no interest.
     */
    @Nullable
    TicketSet here;
    /** The place of the items that have their buffers; null if these cannot lead to another request. */
    @Nullable
    TicketSet past;
    /** True if no task before this one takes buffers. */
    boolean isFirstTaker;

    /** The routing of items by measured time; null if each copy may take any item. */
    @Nullable
    Routing routing;
    /** The order in which results are passed on; null if it is any. */
    final @Nullable EmissionOrder order;

    @Nullable
    Cycle cycle;
    /** The copies. */
    final List<TaskInstance> instances = new ArrayList<>();
    /** If the stage distributes the items of a pipeline: the stages of each copy of the pipeline. */
    Stage[][] loads = {};
    /** As above: the stages that it sends to. */
    Stage[] entries = {};

    /** If the task, or its queue, drops items: the pools into which it, or tasks that its items lead to, release. */
    final Set<Pool> releasing = new LinkedHashSet<>();
    /** The tickets of items that overtake; null if the task has no order, or they keep theirs. */
    @Nullable
    Overtaking overtaking;
    /** The slots of the bounded edges that lead here. */
    final List<Pool> slots = new ArrayList<>(0);
    /** True if threads that send items from outside wait for room here. */
    boolean isRoomAwaited;

    StageSetup(
            StagePlan plan,
            List<CopyInfo> copies,
            BufferNeed[] needs,
            BusyTime busy,
            BiConsumer<Object, Throwable> faults) {
        this.plan = plan;
        this.copies = copies;
        this.needs = needs;
        this.busy = busy;
        this.faults = faults;
        this.order = plan.options().is(StagePlan.Trait.ORDERED) ? new EmissionOrder() : null;
    }

    /** Returns about the number of items that wait at the stages to which the stage distributes those of a pipeline. */
    int distributed() {
        int all = 0;
        for (Stage entry : entries) {
            all += entry.backlog();
        }
        return all;
    }

    /** Returns true if items of the task wait in a {@link Line} for buffers. */
    boolean takes() {
        return needs.length > 0;
    }

    /** Returns the place that an item leaves when it is done; null if there is none. */
    @Nullable
    TicketSet doneFrom() {
        return takes() ? past : here;
    }

    /**
     * Returns true if producers may have inboxes. A stage with inboxes takes no buffers, is in no circle, since tokens
     * of circles are counted per append, and has no queue that calls the user's code, since the thread that appends
     * does that.
     */
    boolean mayHaveInboxes() {
        return here == null && cycle == null && !callsUserCode();
    }

    /**
     * Returns true if items that come from outside may wait in an inbox until the task's line looks: tokens of circles
     * are counted per append, and the ledger would call the user's code for many items at a time.
     */
    boolean mayHaveInboxFromOutside() {
        return takes() && cycle == null && !callsUserCode();
    }

    /** Returns true if the stage's queue calls the user's code, under locks. */
    boolean callsUserCode() {
        return plan.options().order() != null || plan.options().queue() != null || routing != null;
    }

    /** Returns the user's code that decides which item is next, as it is called in messages. */
    static String userCode(StagePlan.Options its) {
        return its.queue() != null ? "queue" : its.order() != null ? "priority" : "function of sizes";
    }

    /** Returns true if a copy, with or without its own thread, takes one item at a time. */
    boolean worksOneByOne(CopyInfo copy, boolean ownThread) {
        StagePlan.Options options = plan.options();
        return options.is(StagePlan.Trait.ONE_BY_ONE)
                || callsUserCode()
                || order != null
                || options.termination() != null
                || options.is(StagePlan.Trait.ENDS_CYCLE)
                || !options.submitting().devices().isEmpty() // so that the other devices get items
                || (ownThread && (plan.copies() > 1 || doneFrom() != null));
    }

    /** Returns the devices that the copies are bound to. */
    List<String> devices() {
        Set<String> devices = new LinkedHashSet<>();
        for (CopyInfo copy : copies) {
            if (copy.device() != null) {
                devices.add(String.valueOf(copy.device()));
            }
        }
        return List.copyOf(devices);
    }

    /** Returns a new queue for the items that copies may take. */
    ItemQueue newQueue(Clock clock) {
        ToLongFunction<Object> sizes = plan.options().submitting().sizes();
        if (routing != null && sizes != null) {
            return new RoutedItems(plan.name(), sizes, faults, clock, routing.times());
        }
        WaitingItems<Object> users = plan.options().queue();
        if (users != null) {
            boolean settles = here != null || cycle != null || !releasing.isEmpty() || !slots.isEmpty();
            return new UserItems(users, settles, faults);
        }
        PriorityItems ordered = ordered(false);
        return ordered == null ? new Ring() : ordered;
    }

    /**
     * Returns a new queue in the task's own order, or in that order among items of one ticket; null if the task has no
     * order.
     */
    @Nullable
    PriorityItems ordered(boolean eldestFirst) {
        Comparator<Object> order = plan.options().order();
        return order == null ? null : new PriorityItems(order, eldestFirst, faults);
    }
}

package dev.jacquard.flow;

import dev.jacquard.base.text.UserText;
import dev.jacquard.flow.FlowGraph.Sink;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.pipeline.Siblings;
import dev.jacquard.flow.runtime.RunPlan.PipelinePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan.Trait;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Rule;
import dev.jacquard.flow.task.WaitingItems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A task, a bookkeeper, or the distributor of a pipeline, in the unfolded graph. */
final class PlannedPart {
    final Use use;
    final String name;
    final Sink<?> part;
    /** The part as a task; null if it is none. */
    final @Nullable FlowTask<?, ?> task;
    /** The part as a bookkeeper; null if it is none. */
    final @Nullable Bookkeeper<?> keeper;
    /** The number of the copy of a start task that the item stands for; -1 if the item stands for all copies. */
    final int only;
    /** The copies that are the item's. */
    private final StagePlan.Share share;
    /** Per outlet, the numbers of the consumers. */
    final List<int[]> outlets = new ArrayList<>();
    /** The outlets, the last ones, that get some of the items of others. */
    final List<Destinations.Branch> branches = new ArrayList<>();
    /** Per outlet, for each consumer, the number of the pool of slots, as in the plan. */
    final List<int[]> slots = new ArrayList<>();
    /** The first outlet of each edge between siblings that the item sends along. */
    final Map<Siblings<?>, Integer> siblings = new LinkedHashMap<>();
    /** The numbers of the consumers of all outlets. */
    int[] consumers = {};
    /** The number of buffers that the item takes, by the number of the pool. */
    final Map<Integer, Integer> takes = new LinkedHashMap<>();
    /** The bytes of these buffers together, by the number of the pool, where the pool counts bytes. */
    final Map<Integer, Long> takenBytes = new LinkedHashMap<>();
    /** The numbers of the pools that the item declares to release into. */
    final List<Integer> releases = new ArrayList<>();
    /** The memory edges that the item declares although another graph made them. */
    final Set<MemoryEdge<?>> foreign = new LinkedHashSet<>();
    /** The bodies and rules that the user's suppliers created. */
    final List<Body<?, ?>> bodies = new ArrayList<>();

    final List<Rule<?, ?>> rules = new ArrayList<>();
    /** The user's queue of the items that wait; null if the task has none. As above. */
    @Nullable
    WaitingItems<?> queue;

    /** How the items of a pipeline are distributed; null if the part is none. As above. */
    @Nullable
    Distribution<?> distribution;

    PlannedPart(Use use, String name, Sink<?> part, int only) {
        this.use = use;
        this.name = name;
        this.part = part;
        this.task = part instanceof FlowTask<?, ?> its ? its : null;
        this.keeper = part instanceof Bookkeeper<?> its ? its : null;
        this.only = only;
        this.share = task == null || only < 0
                ? new StagePlan.Share(name, 0, copies())
                : new StagePlan.Share(use.prefix + task.name(), only, task.copies);
        for (MemoryEdge<?> edge : released()) {
            Integer pool = use.edges.get(edge);
            if (pool == null) {
                foreign.add(edge);
            } else {
                releases.add(pool);
            }
        }
        if (task != null) {
            task.settings.takes.forEach(this::declareTaken);
            task.settings.takenBytes.forEach((edge, bytes) -> {
                Integer pool = use.edges.get(edge);
                if (pool != null) {
                    takenBytes.put(pool, bytes);
                }
            });
        }
    }

    private void declareTaken(MemoryEdge<?> edge, int count) {
        Integer pool = use.edges.get(edge);
        if (pool == null) {
            foreign.add(edge);
        } else {
            takes.put(pool, count);
        }
    }

    private Set<MemoryEdge<?>> released() {
        if (task != null) {
            return task.settings.rate.releases.keySet();
        }
        return keeper == null ? Set.of() : keeper.released();
    }

    int copies() {
        return task == null || only >= 0 ? 1 : task.copies;
    }

    /** Creates {@code count} bodies, or the rules; adds failures to {@code problems}. */
    void make(int count, List<String> problems) {
        try {
            for (int i = 0; task != null && i < count; i++) {
                bodies.add(present(task.bodies.get(), "body"));
            }
            if (task != null && task.settings.queue != null) {
                queue = present(task.settings.queue.get(), "queue");
            }
            for (Bookkeeper.RuleLink link : keeper == null ? List.<Bookkeeper.RuleLink>of() : keeper.rules) {
                rules.add(rule(link));
            }
            if (part instanceof FlowPipeline<?, ?> pipeline) {
                distribution = present(pipeline.distribution().get(), "distribution");
            }
        } catch (RuntimeException e) {
            problems.add("making the " + (task != null ? "body" : keeper != null ? "rules" : "distribution") + " of \""
                    + name + "\" failed: " + UserText.of(e));
        }
    }

    /** Returns the rule, which the copies of a pipeline share unless each has its own. */
    private Rule<?, ?> rule(Bookkeeper.RuleLink link) {
        return link.isPerCopy()
                ? present(link.rule().get(), "rule")
                : use.first()
                        .rules
                        .computeIfAbsent(link, its -> present(its.rule().get(), "rule"));
    }

    /** Returns true unless another copy of a pipeline has the same part with a smaller number. */
    boolean isFirst() {
        return use.first() == use;
    }

    @SuppressWarnings("unchecked") // edges join equal types, as the compiler and, where possible, the check ensure
    StagePlan plan(boolean dedicated) {
        StagePlan.Options its = task == null
                ? StagePlan.Options.DEFAULT
                : task.settings.options().with((WaitingItems<Object>) queue);
        return new StagePlan(
                name,
                share,
                (List<Body<Object, Object>>) (List<?>) bodies,
                (List<Rule<Object, Object>>) (List<?>) rules,
                outlets,
                branches.stream().map(Destinations.Branch::plan).toList(),
                new StagePlan.MemoryUse(takes, takenBytes, releases, use.edges, slots),
                dedicated ? its.with(Trait.DEDICATED) : its,
                new PipelinePlan.Place(use.pipeline(), use.siblings(), use.device, siblings, (Distribution<Object>)
                        (Distribution<?>) distribution));
    }

    private <T> T present(@Nullable T made, String what) {
        if (made == null) {
            throw new IllegalStateException("the supplier of \"" + name + "\" made no " + what + " but null");
        }
        return made;
    }

    boolean isStart() {
        return task != null && task.settings.is(Trait.START);
    }

    /** Returns true if an item that fails is dropped, so that nothing comes of it. */
    boolean dropsItems() {
        return task != null && (task.settings.onError != null || task.settings.queue != null);
    }

    boolean isOrdered() {
        return task != null && (task.settings.order != null || task.settings.queue != null);
    }

    boolean hasTermination() {
        return task != null && task.settings.hasTermination();
    }

    List<? extends FlowSource<?>> sources() {
        if (task != null) {
            return List.of(task);
        }
        return keeper == null
                ? List.of()
                : keeper.rules.stream().map(Bookkeeper.RuleLink::output).toList();
    }

    /** Returns the rates of the outlets; none of a pipeline. */
    List<Rate> rates() {
        if (task != null) {
            return List.of(task.settings.rate);
        }
        return keeper == null
                ? List.of()
                : keeper.rules.stream().map(rule -> rule.output().rate).toList();
    }

    Set<SiblingEdge<?>> sends() {
        return task != null ? task.settings.sends : keeper != null ? keeper.sends : Set.of();
    }
}

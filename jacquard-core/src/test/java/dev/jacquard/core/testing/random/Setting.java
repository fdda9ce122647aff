package dev.jacquard.core.testing.random;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.trace.TraceMode;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a program runs.
 *
 * @param workers of the host
 * @param edges from which the edges are drawn that the policy adds; 0 for none
 * @param others how many threads serve {@link #OTHERS}
 * @param emulated how many emulated devices
 * @param batch the bytes in which these copy to and from Java arrays; 0 for all at once
 * @param real whether real devices are used, where they are offered
 * @param faults what goes wrong on the emulated ones
 * @param tight whether memory holds little more than one task needs
 * @param disk whether what does not fit on the host goes to a file
 * @param direct whether that bypasses the page cache
 * @param disks whether there is a small disk before the large one
 * @param windows of both graphs; 0 for none
 * @param submitters how many threads submit, the opener included
 * @param racing whether they do not wait for each other
 * @param stops whether graph b stops at its first failure
 * @param deadline of graph b in microseconds; 0 for none
 * @param frees whether data is freed when all is submitted
 * @param closes whether the session is closed at once
 * @param interrupted whether the thread is interrupted that closes it then
 * @param listens whether a listener hears of all tasks, which tells their order where submitters do not take turns
 * @param leaves whether results are left on devices when the session is closed
 * @param cache which replicas leave a full memory
 * @param watched whether a thread looks at what the session tells of itself
 * @param stalls the microseconds after which the session tells that nothing moves; 0 for never
 * @param keeps whether graphs keep their history, and states are traced
 * @param played whether one thread plays all, under a schedule that is drawn
 * @param mistakes from which the wrong calls are drawn; 0 for none
 * @param wide from which the sizes of wide compiled graphs are drawn; 0 for none
 * @param inside from which the programs are drawn that tasks have inside themselves; 0 for none
 * @param within whether the program is one of those, or of the runs beside
 * @param beside from which the program is drawn whose runs have no place among the tasks; 0 for none
 * @param breaking the policy that is used in place of the other one, and ends the run; null for none
 * @param full the submission that finds the stack full; null for none
 * @param small the percentage of what a task may need that devices may hold, every other one if it is odd; 0 for all
 */
record Setting(
        int workers,
        Policy policy,
        long edges,
        int others,
        int emulated,
        boolean peers,
        int batch,
        boolean real,
        FaultPlan faults,
        boolean tight,
        boolean disk,
        boolean direct,
        boolean disks,
        int[] windows,
        int submitters,
        boolean racing,
        boolean checking,
        boolean stops,
        int deadline,
        boolean frees,
        boolean closes,
        boolean interrupted,
        boolean listens,
        boolean leaves,
        CachePolicy cache,
        boolean watched,
        int stalls,
        boolean keeps,
        boolean played,
        long mistakes,
        long wide,
        long inside,
        boolean within,
        long beside,
        @Nullable Breaking breaking,
        @Nullable FullStack full,
        int small) {
    static final ExecutionTarget OTHERS = ExecutionTarget.named("others");
    private static final int MOST_WORKERS = 8;
    private static final int MOST_IN_BATCH = 60;
    private static final int SPANS = 200;
    /** The frames that a submission takes, and more. */
    private static final int MOST_FRAMES = 110;

    /** But for those that plan whole graphs: of the tasks of a program they order each as priority does. */
    private static final List<Policy> POLICIES = Policies.all().stream()
            .filter(policy -> policy.graphPlacement() == null)
            .toList();

    private static final List<CachePolicy> CACHES =
            List.of(CachePolicy.leastRecentlyUsed(), CachePolicy.firstInFirstOut(), CachePolicy.largestFirst());

    static Setting draw(Dice dice) {
        Dice policies = dice.of(Feature.POLICIES);
        Policy plain =
                drawn(dice, Feature.POLICIES) ? POLICIES.get(policies.below(POLICIES.size())) : POLICIES.getFirst();
        Dice devices = dice.of(Feature.DEVICES);
        int emulated = drawn(dice, Feature.DEVICES) ? 1 + devices.below(Dense.is(dice) ? 2 : 3) : 0;
        Dice windows = dice.of(Feature.WINDOW);
        boolean bounded = drawn(dice, Feature.WINDOW);
        Dice submitters = dice.of(Feature.SUBMITTERS);
        Dice cancel = dice.of(Feature.CANCEL);
        boolean ends = drawn(dice, Feature.CANCEL);
        Dice memory = dice.of(Feature.MEMORY);
        boolean tight = drawn(dice, Feature.MEMORY);
        boolean racing = drawn(dice, Feature.SUBMITTERS) && drawn(dice, Feature.RACING);
        boolean turns = drawn(dice, Feature.SUBMITTERS) && !isComposed(dice); // these take none, side by side
        // Behind a task that waits for members to come nothing may be put for which the submitter waits.
        long edges = drawn(dice, Feature.POLICY_EDGES) && !drawn(dice, Feature.LATE_TAGS)
                ? dice.of(Feature.POLICY_EDGES).at(2).next() | 1
                : 0;
        boolean listens = racing
                || edges != 0
                || (drawn(dice, Feature.SPAWN) && dice.of(Feature.SPAWN).at(4).chance(0.6));
        Policy policy =
                drawn(dice, Feature.MIXED) ? MixedPolicies.draw(plain, POLICIES, dice.of(Feature.MIXED)) : plain;
        Dice breaks = dice.of(Feature.BREAKING);
        Dice stack = dice.of(Feature.FULL_STACK);
        return new Setting(
                1 + (dice.chance(0.5) ? dice.below(2) : dice.below(MOST_WORKERS)),
                policy,
                edges,
                drawn(dice, Feature.TARGETS) ? 1 : 0,
                emulated,
                devices.chance(0.5),
                devices.at(5).chance(0.5) ? 1 + devices.at(6).below(MOST_IN_BATCH) : 0,
                drawn(dice, Feature.REAL),
                emulated > 0 && drawn(dice, Feature.FAULTS)
                        ? faults(dice.of(Feature.FAULTS), drawn(dice, Feature.CHECKING))
                        : FaultPlan.NONE,
                tight,
                tight && memory.chance(0.5),
                memory.at(9).chance(0.4),
                memory.at(10).chance(0.4),
                bounded
                        ? new int[] {1 + windows.below(20), windows.chance(0.5) ? 1 + windows.below(20) : 0}
                        : new int[2],
                racing || turns ? 2 + submitters.below(2) : 1,
                racing,
                drawn(dice, Feature.CHECKING),
                ends && cancel.chance(0.3),
                ends && cancel.chance(0.3) ? 100 + cancel.below(2_000) : 0,
                drawn(dice, Feature.FREE),
                drawn(dice, Feature.CLOSE),
                isInterrupted(dice),
                listens,
                drawn(dice, Feature.LEAVE),
                drawn(dice, Feature.CACHES)
                        ? CACHES.get(dice.of(Feature.CACHES).at(2).below(CACHES.size()))
                        : CACHES.getFirst(),
                drawn(dice, Feature.WATCHED),
                (drawn(dice, Feature.STALLS) || drawn(dice, Feature.FULL_STACK)) && !drawn(dice, Feature.PLAYED)
                        ? 200 + dice.of(Feature.STALLS).at(2).below(2_000)
                        : 0,
                drawn(dice, Feature.KEPT),
                drawn(dice, Feature.PLAYED),
                drawn(dice, Feature.MISTAKES) ? dice.of(Feature.MISTAKES).at(2).next() | 1 : 0,
                drawn(dice, Feature.WIDE) ? dice.of(Feature.WIDE).at(2).next() | 1 : 0,
                drawn(dice, Feature.INSIDE) ? dice.of(Feature.INSIDE).at(2).next() | 1 : 0,
                false,
                drawn(dice, Feature.BESIDE) ? dice.of(Feature.BESIDE).at(2).next() | 1 : 0,
                drawn(dice, Feature.BREAKING)
                        ? new Breaking(
                                policy, 1 + breaks.at(2).below(breaks.at(3).chance(0.5) ? 10 : 100))
                        : null,
                // What another task waits for is not left out, and no submission runs bodies.
                drawn(dice, Feature.FULL_STACK) && !drawn(dice, Feature.LATE_TAGS) && !drawn(dice, Feature.WINDOW)
                        ? new FullStack(1 + stack.at(2).below(20), stack.at(3).below(MOST_FRAMES))
                        : null,
                drawn(dice, Feature.SMALL_DEVICES)
                        ? 1 + dice.of(Feature.SMALL_DEVICES).at(2).below(99)
                        : 0);
    }

    /**
     * Returns where a program runs that a task has inside itself, or whose runs are beside the tasks.
     *
     * @param calm whether all tasks around it are to end well
     * @param deeper from which programs further inside are drawn; 0 for none
     */
    Setting inside(boolean calm, long deeper) {
        return new Setting(
                workers,
                policy,
                0,
                others,
                emulated,
                peers,
                batch,
                real,
                faults,
                tight,
                disk,
                direct,
                disks,
                new int[2],
                1,
                false,
                checking,
                !calm,
                0,
                false,
                closes,
                interrupted,
                false,
                leaves,
                cache,
                false,
                0,
                keeps,
                played,
                0,
                0,
                deeper,
                true,
                0,
                breaking,
                full,
                small);
    }

    /** Makes the two graphs of a program in {@code session}. */
    TaskGraph[] graphs(Session session) {
        TaskGraph[] graphs = {
            session.graph("a", FailurePolicy.CONTINUE),
            session.graph("b", stops ? FailurePolicy.STOP : FailurePolicy.CONTINUE)
        };
        for (int i = 0; i < graphs.length; i++) {
            if (windows[i] > 0) {
                graphs[i].window(windows[i]);
            }
        }
        if (deadline > 0) {
            graphs[1].deadline(Duration.ofNanos(1_000L * deadline));
        }
        return graphs;
    }

    private static boolean isInterrupted(Dice dice) {
        return drawn(dice, Feature.CLOSE)
                && drawn(dice, Feature.INTERRUPTED_CLOSE)
                && !drawn(dice, Feature.LIMITS) // of an interrupted function it is not known for which reason
                && !isComposed(dice);
    }

    /** True if components or the bodies of a stream submit jobs. */
    static boolean isComposed(Dice dice) {
        return drawn(dice, Feature.COMPONENTS) || drawn(dice, Feature.STREAMS);
    }

    /** True if a program has a feature. */
    static boolean drawn(Dice dice, Feature feature) {
        return dice.drawn(feature, Dense.is(dice) ? Dense.share(feature) : feature.share);
    }

    /** Draws faults; damaged copies only in checking mode, which finds them. */
    private static FaultPlan faults(Dice dice, boolean checked) {
        FaultPlan faults = FaultPlan.NONE.seed(dice.next());
        if (checked && dice.at(1).chance(0.5)) {
            faults = faults.rate(Kind.CORRUPTION, 0.2 * dice.at(2).share());
        }
        for (Kind kind : List.of(Kind.LAUNCH, Kind.COPY, Kind.ALLOCATION)) {
            if (dice.chance(0.5)) {
                faults = faults.rate(kind, 0.2 * dice.share());
            }
        }
        return dice.chance(0.4) ? faults.at(Kind.LOSS, 1 + dice.below(30)) : faults;
    }

    boolean hasFaults() {
        return !faults.equals(FaultPlan.NONE);
    }

    /** Returns whether devices are lost. */
    boolean loses() {
        return faults.numbers().containsKey(Kind.LOSS);
    }

    /**
     * Makes it, still to be opened.
     *
     * @param offered devices besides emulated ones
     * @param room in which any task finds room for its data; where memory is little there is no more on a device
     * @param onHost likewise on the host
     * @param log is told of tasks, if anybody is
     */
    SessionBuilder builder(List<? extends DeviceOffer> offered, Path folder, long room, long onHost, Log log) {
        Policy own = breaking == null ? policy : breaking.policy();
        SessionBuilder builder = Session.builder()
                .workers(workers)
                .policy(edges == 0 ? own : new EdgesPolicy(own, edges, log))
                // It wakes threads that wait, and hides that none else did: so it is mostly off.
                .stallWatch(Duration.ofNanos(1_000L * stalls), stalled -> {});
        if (others > 0) {
            builder.workersFor(OTHERS, others);
        }
        List<DeviceOffer> devices = offers(offered);
        for (int i = 0; i < devices.size(); i++) {
            boolean tooSmall = small > 0 && (i % 2 == 0 || small % 2 == 0);
            builder.device(devices.get(i), tooSmall ? Math.max(1, room * small / 100) : tight ? room : 1 << 19);
        }
        if (tight && disk) {
            builder.hostMemory(onHost);
            if (disks) {
                builder.disk(folder, 4L << 10, !direct);
            }
            builder.disk(folder, 4L << 20, direct);
        }
        builder.cachePolicy(cache);
        if (keeps) {
            builder.keepGraphs().trace(TraceMode.STATES, SPANS);
        }
        if (leaves) {
            builder.leaveResultsOnDevices();
        }
        if (listens) {
            builder.listener(log);
        }
        if (full != null) {
            full.begin();
        }
        return checking ? builder.checking() : builder.noChecking();
    }

    /** True if the run of the last session was ended in the midst of it, or may have been. */
    boolean hasBroken() {
        return (breaking != null && breaking.hasFailed()) || (full != null && full.wasMade());
    }

    private List<DeviceOffer> offers(List<? extends DeviceOffer> offered) {
        List<DeviceOffer> all = new ArrayList<>();
        for (int i = 0; i < emulated; i++) {
            EmulatedOffer offer = EmulatedDevice.offer("emulated" + i).memory(1 << 20);
            EmulatedOffer apart = peers ? offer : offer.withoutPeers();
            EmulatedOffer fair = batch > 0 ? apart.batches(batch) : apart;
            all.add(hasFaults() ? fair.faults(faults.seed(faults.seed() + i)) : fair);
        }
        if (real) {
            all.addAll(offered);
        }
        return all;
    }

    List<ExecutionTarget> devices(List<? extends DeviceOffer> offered) {
        return offers(offered).stream()
                .map(offer -> ExecutionTarget.named(offer.name()))
                .toList();
    }

    String text() {
        return workers + " workers, " + (breaking == null ? policy.name() : breaking)
                + (edges != 0 ? " with edges" : "")
                + (others > 0 ? ", others" : "")
                + (emulated > 0
                        ? ", " + emulated + " emulated" + (peers ? "" : " without peers")
                                + (batch > 0 ? " in batches of " + batch : "")
                        : "")
                + (hasFaults() ? ", " + faults : "") + (tight ? ", little memory" : "")
                + (tight && disk ? " with disk" : "") + (tight && disk && direct ? " without page cache" : "")
                + (windows[0] > 0 ? ", windows " + windows[0] + " " + windows[1] : "")
                + (submitters > 1 ? ", " + submitters + " submitters" : "") + (racing ? " at the same time" : "")
                + (checking ? ", checking" : "")
                + (stops ? ", b stops" : "") + (deadline > 0 ? ", b has " + deadline + " us" : "")
                + (frees ? ", frees data" : "") + (closes ? ", closes at once" : "")
                + (interrupted ? ", interrupted" : "")
                + (listens ? ", listens" : "") + (leaves ? ", leaves results" : "")
                + (cache == CACHES.getFirst() ? "" : ", " + cache.getClass().getSimpleName())
                + (keeps ? ", keeps graphs" : "")
                + (watched ? ", watched" : "") + (stalls > 0 ? ", stalls told after " + stalls + " us" : "")
                + (played ? ", played" : "") + (mistakes != 0 ? ", mistakes" : "")
                + (wide != 0 ? ", wide" : "") + (inside != 0 ? ", made inside" : "")
                + (beside != 0 ? ", runs beside" : "") + (full == null ? "" : ", " + full)
                + (small == 0 ? "" : ", devices for " + small + " %");
    }
}

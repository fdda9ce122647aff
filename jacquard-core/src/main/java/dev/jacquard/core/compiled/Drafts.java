package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.residency.Staging;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a graph that is not built yet, by number, and the properties of the graph that follow from them.
 * Confined to the builder.
 */
final class Drafts {
    private static final Guard[] UNGUARDED = {};

    /** The wishes of the user for a task: priority, worker, and flags by their names. */
    private record Wishes(ReadyTask asked, List<String> flags) {
        static final Wishes NONE = new Wishes(Standing.NOTHING_ASKED, List.of());
    }

    /** The name of the graph, for messages. */
    private final String graph;

    private final List<Draft> all = new ArrayList<>();
    /** The wishes for recorded tasks, by their numbers. */
    private final Map<Integer, Wishes> wishes = new HashMap<>();

    /** The branches of the tasks that are in some, by their numbers. */
    private final Map<Integer, Guard[]> guards = new HashMap<>();

    /** The reasons of edges. */
    final EdgeReasons reasons = new EdgeReasons();

    Drafts(String graph) {
        this.graph = graph;
    }

    /** Adds a task; returns its number. */
    int add(Draft draft) {
        all.add(draft);
        return all.size() - 1;
    }

    /** Puts a task into a branch. */
    void guard(int number, Guard branch) {
        Guard[] before = guards(number);
        Guard[] more = Arrays.copyOf(before, before.length + 1);
        more[before.length] = branch;
        guards.put(number, more);
    }

    /** Returns the branches that a task is in. Not to be changed. */
    Guard[] guards(int number) {
        return guards.getOrDefault(number, UNGUARDED);
    }

    /** Notes the user's settings for a task: priority, worker, and flags with the names {@code itsFlags}. */
    void asks(int number, ReadyTask asked, List<String> itsFlags) {
        wishes.put(number, new Wishes(asked, itsFlags));
    }

    /** Returns the standings of all tasks, by number. */
    Standing[] standings(Adjacency edges) {
        int[] depths = Standing.depths(edges);
        Standing[] standings = new Standing[all.size()];
        for (int i = 0; i < standings.length; i++) {
            Wishes its = wishes.getOrDefault(i, Wishes.NONE);
            standings[i] = new Standing(its.asked, its.flags, depths[i], edges.from(i).length);
        }
        return standings;
    }

    int size() {
        return all.size();
    }

    /**
     * Returns the task of that number.
     *
     * @throws IllegalArgumentException when there is none
     */
    Draft get(int number) {
        if (number < 0 || number >= all.size()) {
            throw new IllegalArgumentException(
                    "compiled graph \"" + graph + "\" has no task " + number + ", it has " + all.size() + " so far");
        }
        return all.get(number);
    }

    String where(String task) {
        return "task \"" + task + "\" of compiled graph \"" + graph + '"';
    }

    /** Throws unless there is something that brings data to tasks. */
    Staging requireStaging(String task, @Nullable Staging staging) {
        if (staging == null) {
            throw new IllegalArgumentException(where(task) + " accesses data: build the graph with session.compile");
        }
        return staging;
    }

    List<String> names() {
        return all.stream().map(Draft::name).toList();
    }

    /** Returns true if the work of some task is a device's. */
    boolean useDevices() {
        return all.stream().anyMatch(Draft::isDevices);
    }

    InnerRun[] inners() {
        return all.stream().map(Draft::inner).filter(Objects::nonNull).toArray(InnerRun[]::new);
    }

    /**
     * Throws if a graph that refuses concurrent runs is a task twice, and the two tasks may run concurrently.
     *
     * @throws IllegalArgumentException which names the two tasks
     */
    void requireNoneSideBySide(Adjacency edges) {
        Map<CompiledGraph, Map<Integer, List<Refusal>>> uses = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            InnerRun inner = all.get(i).inner();
            if (inner != null) {
                for (Refusal one : inner.graph().refusals()) {
                    uses.computeIfAbsent(one.graph(), none -> new LinkedHashMap<>())
                            .computeIfAbsent(i, none -> new ArrayList<>())
                            .add(one);
                }
            }
        }
        Map<Decision, Integer> choosers = choosers();
        uses.forEach((used, tasks) -> {
            BitSet rest = new BitSet();
            tasks.keySet().forEach(rest::set);
            for (int one :
                    tasks.keySet()) { // all pairs: tasks that exclude each other need not exclude, or follow, a third
                rest.clear(one);
                if (rest.isEmpty()) {
                    return;
                }
                BitSet beside = (BitSet) rest.clone();
                beside.andNot(edges.after(one));
                for (int other = beside.nextSetBit(0); other >= 0; other = beside.nextSetBit(other + 1)) {
                    if (mayMeet(Objects.requireNonNull(tasks.get(one)), Objects.requireNonNull(tasks.get(other)))
                            && !exclude(branches(one, choosers), branches(other, choosers))) {
                        throw new IllegalArgumentException(where(get(one).name()) + " and task \""
                                + get(other).name() + "\" may run \"" + used.name()
                                + "\" at the same time, which that refuses: add an edge,"
                                + " or build it with CompiledGraph.OverlapRule.QUEUE");
                    }
                }
            }
        });
    }

    private static boolean mayMeet(List<Refusal> some, List<Refusal> others) {
        return some.stream().anyMatch(one -> others.stream().anyMatch(one::mayMeet));
    }

    /**
     * Returns the branches that a task is in, with the branches of its choosers: a skipped chooser chooses no branch.
     */
    private Set<Guard> branches(int task, Map<Decision, Integer> choosers) {
        Set<Guard> found = new LinkedHashSet<>();
        Queue<Guard> next = new ArrayDeque<>(List.of(guards(task)));
        for (Guard guard = next.poll(); guard != null; guard = next.poll()) {
            if (found.add(guard)) {
                next.addAll(List.of(guards(Objects.requireNonNull(choosers.get(guard.decision())))));
            }
        }
        return found;
    }

    /** Returns true if the two sets need different branches of one decision. */
    private static boolean exclude(Set<Guard> one, Set<Guard> other) {
        for (Guard mine : one) {
            for (Guard its : other) {
                if (mine.decision() == its.decision() && mine.branch() != its.branch()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the numbers of the tasks that decide something, by their decisions. */
    private Map<Decision, Integer> choosers() {
        Map<Decision, Integer> choosers = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Decision decision = all.get(i).decision();
            if (decision != null) {
                choosers.put(decision, i);
            }
        }
        return choosers;
    }

    /** Returns the accesses of all tasks, including tasks of inner graphs, each once. */
    AccessList accesses() {
        List<AccessList> lists = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Draft draft = all.get(i);
            boolean maySkip = guards(i).length > 0;
            if (draft.inner() == null) {
                lists.add(
                        maySkip ? updating(draft.accesses()) : draft.accesses().readsFirst());
            } else {
                AccessList inside = draft.inner().graph().accesses(); // in turn
                lists.add(maySkip ? updating(draft.accesses()) : draft.accesses());
                lists.add(maySkip ? updating(inside) : inside);
            }
        }
        return AccessList.union(lists);
    }

    /** Returns the accesses of a task that may be skipped: it overwrites nothing then, so that failures go on. */
    private static AccessList updating(AccessList accesses) {
        AccessList.Builder all = AccessList.builder();
        accesses.each((resource, access) -> all.add(resource, Skippable.of(access)));
        return all.build();
    }

    /** Returns true if a task accesses data. */
    boolean haveData() {
        return all.stream().anyMatch(draft -> draft.staged() != null || touchesData(draft.accesses()));
    }

    static boolean touchesData(AccessList accesses) {
        for (int i = 0; i < accesses.size(); i++) {
            if (accesses.resource(i) instanceof Data) {
                return true;
            }
        }
        return false;
    }

    /** Returns the data that a run claims for all of its tasks; null when the run cannot, or must not. */
    @Nullable
    AccessList dataOnHost(@Nullable Staging staging) {
        if (staging == null) {
            return null;
        }
        HostAccesses together = new HostAccesses();
        for (int i = 0; i < all.size(); i++) {
            Draft draft = all.get(i);
            boolean hosts = draft.staged() == null
                    ? !touchesData(draft.accesses())
                    : !draft.staged().isOnDevice();
            if (!hosts
                    || (draft.inner() != null
                            && touchesData(draft.inner().graph().accesses()))) {
                return null; // a task of a device, or an inner graph, which makes its own claims
            }
            together.add(draft.accesses(), guards(i).length > 0);
        }
        AccessList parts = together.all();
        try {
            staging.requireFits(graph, parts, Place.HOST);
            return parts;
        } catch (IllegalArgumentException e) {
            return null; // then tasks take turns
        }
    }
}

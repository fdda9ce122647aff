package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.Network.Kind;
import dev.jacquard.flow.liveness.NetworkModel.Out;
import dev.jacquard.flow.liveness.State.Token;
import dev.jacquard.flow.proof.Proof.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a state in which nothing moves, among all that a model can reach.
 *
 * <pre>
 *  played     the steps of a run whose copies take items one by one, the oldest first. A state that is found is one of
 *             the engine's.
 *  any order  one item from outside after the other; items of one ticket in any order, and grants may be late. Items
 *             that come later may be collected by rules in between. If there is no such state, there is none in a run.
 * </pre>
 *
 * <p>Why the second is enough: see the section on buffers of {@code flow.runtime}. In a run that stands still, take the
 * first of the waiting items. Later items hold none of the buffers that items of its ticket lack, and earlier ones are
 * over, or collected by a rule. So the buffers are held by items of one ticket, and by rules.
 *
 * <p>Threads: confined to the thread that creates it.
 */
final class Search {
    /** The most copies of a pipeline of which an item may go to any set. */
    private static final int MOST_COPIES = 8;
    /** The most items on their way in a state that is examined. */
    private static final int MOST_ITEMS = 100;

    private final NetworkModel model;
    private final Cargo cargo;
    private final ItemMachine machine;
    private final PromptNodes prompts;
    private final int[] floors;
    private final boolean isPlayed;
    /** The model of the pools that a standstill is looked for in; items elsewhere come first in a played search. */
    private final NetworkModel focus;
    /** The number of items from outside that may be on their way at once in a played search. */
    private final int atOnce;

    private final int mostStates;
    private final Set<String> seen = new HashSet<>();
    private final Deque<Step> open = new ArrayDeque<>();

    /** True if the search gave up. */
    boolean isCutOff;

    /** A state, and the way to it. */
    record Step(State state, @Nullable Step before, Event event) {
        /** Returns the events from the first on. */
        List<Event> events() {
            Deque<Event> events = new ArrayDeque<>();
            for (Step step = this; step.before != null; step = step.before) {
                events.push(step.event);
            }
            return List.copyOf(events);
        }
    }

    private static final Event NONE = new Event(Event.SENT, List.of());

    /** True if the next steps of a played search depend on a distribution of the user's. */
    boolean isUsers;

    /**
     * Creates a search in any order.
     *
     * @param sizes the number of buffers of each pool
     * @param floors the number of these that are granted in turn, whatever their bytes
     * @param mostStates the number of states after which the search gives up
     */
    Search(NetworkModel model, Cargo cargo, int[] sizes, int[] floors, int mostStates) {
        this(model, cargo, sizes, floors, 0, model, mostStates);
    }

    /** Creates a search of the steps of a run, with at most {@code atOnce} items from outside on their way at once. */
    static Search played(NetworkModel model, Cargo cargo, int[] sizes, int atOnce, NetworkModel focus, int mostStates) {
        return new Search(model, cargo, sizes, sizes, atOnce, focus, mostStates);
    }

    private Search(
            NetworkModel model,
            Cargo cargo,
            int[] sizes,
            int[] floors,
            int atOnce,
            NetworkModel focus,
            int mostStates) {
        this.model = model;
        this.cargo = cargo;
        this.isPlayed = atOnce > 0;
        this.machine = new ItemMachine(model, sizes, isPlayed);
        this.prompts = new PromptNodes(model);
        this.floors = floors;
        this.atOnce = atOnce;
        this.focus = focus;
        this.mostStates = mostStates;
    }

    /** Returns the way to a state in which nothing moves; null if there is none, or the search gave up. */
    @Nullable
    Step standstill() {
        State first = new State(model.counters, model.distributions());
        if (isPlayed) {
            machine.begin(first);
        }
        add(first, null, NONE);
        while (!open.isEmpty()) {
            Step step = open.pop();
            if (seen.size() > mostStates || (isCutOff && !isPlayed)) {
                isCutOff = true;
                return null;
            }
            boolean moves = isPlayed ? play(step) : move(step);
            if (!moves && !step.state.tokens.isEmpty()) {
                return step;
            }
        }
        return null;
    }

    private void add(State state, @Nullable Step before, Event event) {
        if (!isPlayed) {
            state.sort();
        }
        if (state.tokens.size() > MOST_ITEMS) {
            isCutOff = true; // items come around a cycle again and again, say
        } else if (seen.add(state.key())) {
            open.push(new Step(state, before, event));
        }
    }

    // ---- the steps of a run

    private boolean play(Step step) {
        State state = step.state;
        for (int at = 0; at < state.tokens.size(); at++) {
            Token token = state.tokens.get(at);
            if (!token.waits() && !focus.matters(token.node())) {
                execute(step, at);
                return true;
            }
        }
        boolean moves = false;
        int sent = state.tokens.isEmpty() ? 0 : state.sent; // the first items are over
        if (sent < atOnce && model.inputs.length > 0) {
            State next = new State(state);
            next.sent = sent + 1;
            machine.send(next, model.inputs, sent, true);
            next.free();
            add(next, step, NONE);
        }
        Set<Integer> nodes = new HashSet<>();
        for (int at = 0; at < state.tokens.size(); at++) {
            Token token = state.tokens.get(at);
            if (!token.waits() && nodes.add(token.node())) {
                execute(step, at);
                moves = true;
            }
        }
        return moves || state.tokens.isEmpty();
    }

    // ---- any order

    private boolean move(Step step) {
        State state = step.state;
        if (state.tokens.isEmpty()) {
            for (int[] source : model.sources) {
                State next = new State(state);
                machine.send(next, source, 0, false);
                add(next, step, NONE);
            }
            return true;
        }
        int prompt = prompt(state);
        if (prompt >= 0) {
            execute(step, prompt);
            return true;
        }
        boolean moves = false;
        for (int at = 0; at < state.tokens.size(); at++) {
            Token token = state.tokens.get(at);
            if (!token.waits()) {
                execute(step, at);
                moves = true;
            } else if (machine.mayGrant(state, at)) {
                State next = new State(state);
                machine.grant(next, at);
                add(next, step, NONE);
                moves |= machine.lacking(state, token, floors) < 0;
            }
        }
        collectLater(step);
        return moves;
    }

    /**
     * Returns an item that is ready and may as well be next, or -1: it never asks again, so that it only frees buffers,
     * and grants may be late; or it is at one of the {@link PromptNodes}.
     */
    private int prompt(State state) {
        for (int at = 0; at < state.tokens.size(); at++) {
            Token token = state.tokens.get(at);
            if (!token.waits() && (!model.asking.leadsToAny(token.node()) || prompts.has(token.node()))) {
                return at;
            }
        }
        return -1;
    }

    /** Lets rules collect items that came later, and hold none of the buffers that earlier items lack. */
    private void collectLater(Step step) {
        for (Out[] outs : model.outs) {
            for (Out out : outs) {
                if (out.counter() >= 0 && mayCollectLater(out)) {
                    State next = new State(step.state);
                    boolean isComplete = next.collected.get(out.counter()).size() + 1 == out.collects();
                    machine.collect(next, out, new int[0], isComplete);
                    next.free();
                    add(next, step, NONE);
                }
            }
        }
    }

    private boolean mayCollectLater(Out out) {
        for (int pool = 0; pool < model.pools; pool++) {
            if (model.asking.leadsTo(pool, out.node()) && cargo.most(out.node(), pool) == 0) {
                return true;
            }
        }
        return false;
    }

    // ---- both

    /** Adds the states after the execution of an item, one for each number of items that may go out. */
    private void execute(Step step, int at) {
        int node = step.state.tokens.get(at).node();
        boolean distributes = model.distributors[node] >= 0;
        List<int[]> choices = distributes ? distributed(step.state, node) : emitted(step.state, at);
        for (int[] emits : choices) {
            State next = new State(step.state);
            machine.execute(next, at, emits, isPlayed);
            if (distributes && isPlayed) {
                next.distributed[model.distributors[node]] =
                        (1 + next.distributed[model.distributors[node]]) % emits.length;
            }
            add(
                    next,
                    step,
                    new Event(
                            model.net.nodes().get(node).name(),
                            Arrays.stream(emits).boxed().toList()));
        }
    }

    /** Returns the numbers of items that may go out of each output of a task or bookkeeper. */
    private List<int[]> emitted(State state, int at) {
        int node = state.tokens.get(at).node();
        List<int[]> choices = new ArrayList<>();
        choices.add(new int[model.outs[node].length]);
        for (Out out : machine.firing(state, at)) {
            int least = !isPlayed && isQuiet(out) ? out.most() : out.least();
            int most = focus.matters(node) ? out.most() : least;
            boolean drops = model.net.nodes().get(node).drops() && least > 0 && most > 0 && !isQuiet(out);
            List<int[]> more = new ArrayList<>();
            if (drops) {
                more.addAll(choices); // with none of this output
            }
            for (int[] choice : choices) {
                for (int count = least; count <= most; count++) {
                    int[] with = choice.clone();
                    with[out.number()] = count;
                    more.add(with);
                }
            }
            choices = more;
        }
        return choices;
    }

    /**
     * Returns the copies of a pipeline that an item may go to, as a number of items per copy. In a search in any order,
     * copies whose items matter not, all together, count as none. In a played search, those that it will go to; a
     * distribution of the user's sends the first item to some copy, for which copy 0 stands, since copies are equal.
     */
    private List<int[]> distributed(State state, int node) {
        Out[] outs = model.outs[node];
        Kind kind = model.net.nodes().get(node).kind();
        int[] all = new int[outs.length];
        Arrays.fill(all, 1);
        if (kind == Kind.TO_ALL) {
            return List.of(all);
        }
        List<int[]> choices = new ArrayList<>();
        if (isPlayed) {
            int before = state.distributed[model.distributors[node]];
            boolean isKnown = kind == Kind.IN_TURN || outs.length == 1 || (kind == Kind.TO_ONE && before == 0);
            isUsers |= !isKnown;
            if (isKnown) {
                choices.add(one(outs.length, before));
            }
            return choices;
        }
        List<Integer> that = Arrays.stream(outs)
                .filter(out -> out.consumers().length > 0)
                .map(Out::number)
                .toList();
        if (that.size() < outs.length) {
            choices.add(new int[outs.length]);
        }
        for (int copy : that) {
            choices.add(one(outs.length, copy));
        }
        if (kind == Kind.TO_SOME) {
            addSets(choices, that, outs.length);
        }
        return choices;
    }

    private static int[] one(int count, int at) {
        int[] choice = new int[count];
        choice[at] = 1;
        return choice;
    }

    /** Adds all sets of at least two of the copies. */
    private void addSets(List<int[]> choices, List<Integer> copies, int count) {
        if (copies.size() > MOST_COPIES) {
            isCutOff = true;
            return;
        }
        for (int set = 0; set < 1 << copies.size(); set++) {
            int[] choice = new int[count];
            for (int i = 0; i < copies.size(); i++) {
                choice[copies.get(i)] = set >> i & 1;
            }
            if (Integer.bitCount(set) > 1) {
                choices.add(choice);
            }
        }
    }

    /** Returns true if it does not matter how many items go out, since they only release buffers. */
    private boolean isQuiet(Out out) {
        return Arrays.stream(out.consumers()).allMatch(model::isQuiet);
    }
}

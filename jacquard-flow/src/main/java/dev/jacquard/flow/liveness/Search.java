package dev.jacquard.flow.liveness;

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
    private final NetworkModel model;
    private final Cargo cargo;
    private final ItemMachine machine;
    private final int[] floors;
    private final boolean isPlayed;
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

    /**
     * Creates a search.
     *
     * @param sizes the number of buffers of each pool
     * @param floors the number of these that are lent in turn only
     * @param atOnce the number of items on their way at once in a played search; 0 for a search in any order
     * @param mostStates the number of states after which the search gives up
     */
    Search(NetworkModel model, Cargo cargo, int[] sizes, int[] floors, int atOnce, int mostStates) {
        this.model = model;
        this.cargo = cargo;
        this.isPlayed = atOnce > 0;
        this.machine = new ItemMachine(model, sizes, isPlayed);
        this.floors = floors;
        this.atOnce = atOnce;
        this.mostStates = mostStates;
    }

    /** Returns the way to a state in which nothing moves; null if there is none, or the search gave up. */
    @Nullable
    Step standstill() {
        add(new State(model.counters), null, NONE);
        while (!open.isEmpty()) {
            Step step = open.pop();
            if (seen.size() > mostStates) {
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
        if (seen.add(state.key())) {
            open.push(new Step(state, before, event));
        }
    }

    // ---- the steps of a run

    private boolean play(Step step) {
        boolean moves = false;
        State state = step.state;
        int sent = state.tokens.isEmpty() ? 0 : state.sent; // the first items are over
        for (int[] source : sent < atOnce ? model.sources : List.<int[]>of()) {
            State next = new State(state);
            next.sent = sent + 1;
            machine.send(next, source, sent, true);
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
        int ending = ending(state);
        if (ending >= 0) {
            execute(step, ending);
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
     * Returns an item that is ready and never asks again, or -1: it may as well be next, since it only frees buffers,
     * and grants may be late.
     */
    private int ending(State state) {
        for (int at = 0; at < state.tokens.size(); at++) {
            Token token = state.tokens.get(at);
            if (!token.waits() && !model.asking.leadsToAny(token.node())) {
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
        Token token = step.state.tokens.get(at);
        List<int[]> choices = new ArrayList<>();
        choices.add(new int[model.outs[token.node()].length]);
        for (Out out : machine.firing(step.state, at)) {
            List<int[]> more = new ArrayList<>();
            for (int[] choice : choices) {
                int least = !isPlayed && isQuiet(out) ? out.most() : out.least();
                for (int count = least; count <= out.most(); count++) {
                    int[] with = choice.clone();
                    with[out.number()] = count;
                    more.add(with);
                }
            }
            choices = more;
        }
        for (int[] emits : choices) {
            State next = new State(step.state);
            machine.execute(next, at, emits, isPlayed);
            add(
                    next,
                    step,
                    new Event(
                            model.name(token.node()),
                            Arrays.stream(emits).boxed().toList()));
        }
    }

    /** Returns true if it does not matter how many items go out, since they only release buffers. */
    private boolean isQuiet(Out out) {
        return Arrays.stream(out.consumers()).allMatch(model::isQuiet);
    }
}

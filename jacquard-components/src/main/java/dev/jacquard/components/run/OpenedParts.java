package dev.jacquard.components.run;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.components.component.Component.Instance;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.core.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The opened parts of a program, and the cells between them. Confined to the thread that opens and closes them. */
final class OpenedParts {
    private final Plan plan;
    private final List<CheckedPart> checked;
    private final List<OpenedPart> parts = new ArrayList<>();
    private final List<PartContext> contexts = new ArrayList<>();
    /** By part: by the names of its sources, and of its sinks that are plugged. */
    private final List<Map<String, Cell<?>>> sources = new ArrayList<>();

    private final List<Map<String, Cell<?>>> sinks = new ArrayList<>();
    /** By the names of their sources: the cells with values that are needed after a pass of an outermost loop. */
    private final Map<String, Cell<?>> crossing = new TreeMap<>();
    /** By part: the cells that must have a value before an execution. */
    private final List<List<Cell<?>>> needed = new ArrayList<>();
    /** By part that another rank has executed: the bytes of the values of its sources. */
    private final Map<Integer, List<Long>> ranked = new HashMap<>();
    /** By loop: the cell that closes it. */
    private final Cell<?>[] again;

    private final @Nullable RunTrace traces;
    private final RankScope ranks;

    private OpenedParts(Plan plan, List<CheckedPart> checked, RankScope ranks, @Nullable RunTrace traces) {
        this.plan = plan;
        this.checked = checked;
        this.ranks = ranks;
        this.traces = traces;
        this.again = new Cell<?>[plan.loops().size()];
    }

    /**
     * Opens all parts, in their order. If one cannot be opened, the parts before are closed.
     *
     * @param ranks the ranks of the run
     * @param traces takes the spans of executions; null for none
     * @throws InputException if the user's input cannot be used
     * @throws ComponentFailedException if a part cannot be opened for another reason
     */
    static OpenedParts open(
            Plan plan,
            List<CheckedPart> checked,
            Session session,
            Surroundings surroundings,
            RankScope ranks,
            @Nullable RunTrace traces)
            throws ComponentFailedException {
        OpenedParts opened = new OpenedParts(plan, checked, ranks, traces);
        opened.makeCells();
        try {
            for (int i = 0; i < checked.size(); i++) {
                opened.open(i, session, surroundings);
            }
        } catch (ComponentFailedException | RuntimeException | Error e) {
            ComponentFailedException second = opened.close();
            if (second != null) {
                Suppressed.add(e, second);
            }
            throw e;
        }
        return opened;
    }

    private void makeCells() {
        Map<String, Boolean> plugged = new HashMap<>();
        for (Wire wire : plan.wires()) {
            plugged.put(plan.parts().get(wire.from()).name(wire.source()), true);
        }
        for (Part part : plan.parts()) {
            Map<String, Cell<?>> its = new HashMap<>();
            for (Source<?> source : part.sources()) {
                String name = part.name(source);
                its.put(source.name(), new Cell<>(name, source.type(), plugged.containsKey(name)));
            }
            sources.add(its);
            sinks.add(new HashMap<>());
            needed.add(new ArrayList<>());
        }
        Map<Integer, Cell<?>> closing = new HashMap<>();
        for (Wire wire : plan.wires()) {
            Cell<?> cell = Objects.requireNonNull(
                    sources.get(wire.from()).get(wire.source().name()));
            sinks.get(wire.to()).put(wire.sink().name(), cell);
            if (plan.crosses(wire)) {
                crossing.put(cell.source(), cell);
            }
            if (!wire.sink().isOptional()) {
                needed.get(wire.to()).add(cell);
            }
            if (wire.isAgain()) {
                closing.put(wire.from(), cell);
            }
        }
        for (int loop = 0; loop < again.length; loop++) {
            again[loop] = closing.get(plan.loops().get(loop).exit());
        }
    }

    /** Several parts have a folder each, so that they may write files of one name. */
    private OutputFolder output(String part, OutputFolder whole) {
        return checked.size() > 1
                ? whole.forPart(part, PartContext.OF_PROGRAMS)
                : whole.forOnlyPart(part, PartContext.OF_PROGRAMS);
    }

    private void open(int number, Session session, Surroundings surroundings) throws ComponentFailedException {
        CheckedPart its = checked.get(number);
        RankLinks links = ranks.links();
        boolean interrupted = Thread.currentThread().isInterrupted();
        PartContext context = context(its, number, session, surroundings);
        contexts.add(context);
        if (links != null && !links.isHere(number)) {
            Instance remote = links.remote(number, sources.get(number), session);
            add(number, context, remote, links.receives(number), 0, new Cell<?>[0]); // its rank has the limit
            return;
        }
        @Nullable Instance instance;
        boolean waits;
        try {
            waits = !its.component().neverWaits();
            instance = its.component().open(context);
        } catch (InputException e) {
            throw new InputException("component '" + its.part().name() + "': " + e.getMessage(), e);
        } catch (Throwable e) { // the parts that were opened before are closed whatever it is
            throw new ComponentFailedException(
                    its.described() + " could not be opened: " + Reasons.of(e, its.component()), e);
        }
        if (instance == null) {
            throw new ComponentFailedException(its.described() + " could not be opened: open() returned null");
        }
        context.opened();
        if (links != null) {
            instance = links.sending(number, instance, sources.get(number), session);
            waits |= links.sends(number); // for the tasks that write data
        }
        add(
                number,
                context,
                instance,
                waits,
                its.limitNanos(),
                needed.get(number).toArray(Cell<?>[]::new));
        if (!interrupted && !surroundings.cancellation().isCancelled() && Thread.interrupted()) {
            throw new ComponentFailedException(
                    its.described() + " could not be opened: open() left its thread interrupted");
        }
    }

    private PartContext context(CheckedPart its, int number, Session session, Surroundings surroundings)
            throws ComponentFailedException {
        try {
            return new PartContext(
                    its,
                    session,
                    ranks.communicator(its.part().name()),
                    surroundings,
                    output(its.part().name(), surroundings.output()),
                    sinks.get(number),
                    sources.get(number));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ComponentFailedException(its.described() + " could not be opened: interrupted", e);
        }
    }

    private void add(
            int number, PartContext context, Instance instance, boolean waits, long limitNanos, Cell<?>[] needs) {
        TraceLane lane = traces == null ? null : traces.lane(number);
        parts.add(new OpenedPart(
                number,
                context,
                instance,
                waits,
                limitNanos,
                needs,
                sources.get(number).values().toArray(Cell<?>[]::new),
                lane));
    }

    /**
     * Returns the cells with values that are needed after a pass of an outermost loop, by the names of their sources.
     */
    Map<String, Cell<?>> crossing() {
        return crossing;
    }

    /** Returns the bytes of the values of a part's sources, in their order; 0 where they are not known. */
    List<Long> bytes(int part) {
        List<Long> known = ranked.get(part);
        if (known != null) {
            return known;
        }
        List<Long> all = new ArrayList<>();
        for (Source<?> source : plan.parts().get(part).sources()) {
            Cell<?> cell = Objects.requireNonNull(sources.get(part).get(source.name()));
            all.add(cell.bytes(parts.get(part).executions()));
        }
        return all;
    }

    /** Takes the bytes of the values of a part that another rank has executed. */
    void bytes(int part, List<Long> all) {
        ranked.put(part, all);
    }

    int size() {
        return parts.size();
    }

    /** Returns true for a part that is executed here, not on another rank. */
    boolean isHere(int number) {
        RankLinks links = ranks.links();
        return links == null || links.isHere(number);
    }

    OpenedPart get(int number) {
        return parts.get(number);
    }

    PartContext context(int number) {
        return contexts.get(number);
    }

    /** Empties the wire that closes a loop: its first pass begins. */
    void enter(int loop) {
        again[loop].clear();
    }

    /** Closes all that were opened, the last one first; returns the first failure, with the others suppressed. */
    @Nullable
    ComponentFailedException close() {
        ComponentFailedException first = null;
        for (OpenedPart part : parts.reversed()) {
            boolean interrupted = Thread.currentThread().isInterrupted();
            try {
                part.close();
            } catch (Throwable e) { // the others are closed whatever it is
                ComponentFailedException its =
                        new ComponentFailedException(part.described() + " could not be closed: " + Reasons.of(e), e);
                first = Suppressed.join(first, its);
            }
            if (!interrupted) {
                boolean _ = Thread.interrupted(); // its leftovers must not cut the results off
            }
        }
        return first;
    }
}

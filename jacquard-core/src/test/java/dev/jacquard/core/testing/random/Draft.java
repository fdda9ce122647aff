package dev.jacquard.core.testing.random;

import dev.jacquard.core.testing.random.Job.Fate;
import dev.jacquard.core.testing.random.Job.Kind;
import dev.jacquard.core.testing.random.Job.Ties;
import dev.jacquard.core.testing.random.Store.Home;
import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Draws the program of a seed: the environment, then stores, then tasks one by one, each from dice of its own. */
final class Draft {
    private static final int FEWEST = 4;
    private static final int MOST = 36;
    private static final int MOST_STORES = 6;

    private final long seed;
    private final Drawing drawing;
    private final Dice dice;

    Draft(long seed, Set<Feature> enabled, Set<Feature> always) {
        this.seed = seed;
        this.drawing = new Drawing(seed, enabled, always);
        this.dice = drawing.dice;
    }

    Program program() {
        int count = drawing.dense ? Dense.stores(dice.at(1)) : 1 + dice.at(1).below(MOST_STORES);
        count += drawing.mayHold() ? dice.of(Feature.HELD_VIEWS).at(4).below(MOST_STORES) : 0;
        StoreDraft stores = new StoreDraft(drawing);
        for (int i = 0; i < count; i++) {
            stores.add(i, dice.at(10 + i));
        }
        drawing.touches.share();
        TaskDraft tasks = new TaskDraft(drawing);
        int size = drawing.dense
                ? Dense.size(dice.at(2))
                : FEWEST + dice.at(2).below(dice.at(3).chance(0.5) ? MOST / 3 : MOST);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            drawing.begin(i);
            jobs.add(tasks.top(dice.at(100 + i), jobs));
        }
        addCancel(jobs);
        addLate(jobs);
        Composition composition = compose(jobs);
        addLast(jobs, size);
        return new Program(seed, drawing.setting, List.copyOf(drawing.stores), List.copyOf(jobs), composition);
    }

    private @Nullable Composition compose(List<Job> jobs) {
        Program program = new Program(seed, drawing.setting, drawing.stores, jobs, null);
        if (drawing.has(Feature.COMPONENTS)) {
            return Composer.draw(program, dice.of(Feature.COMPONENTS).at(5), drawing.ending);
        }
        return drawing.has(Feature.STREAMS)
                ? StreamDraft.draw(program, dice.of(Feature.STREAMS).at(5), drawing.ending)
                : null;
    }

    private void addCancel(List<Job> jobs) {
        Dice cancel = dice.of(Feature.CANCEL).at(4);
        if (drawing.has(Feature.CANCEL) && cancel.chance(0.7)) {
            jobs.add(cancel.below(jobs.size() + 1), Job.of(1_000_000, 0, 0, List.of(), Kind.CANCEL));
        }
    }

    /**
     * Adds a task that comes behind another one, which is submitted later and so must need nothing that stands behind
     * the first.
     */
    private void addLate(List<Job> jobs) {
        boolean waits = drawing.has(Feature.BARRIERS) || drawing.has(Feature.WINDOW);
        boolean mayBeLeftOut = drawing.ending != Composition.Ending.How.NONE;
        if (waits || mayBeLeftOut || !drawing.has(Feature.LATE_TAGS)) {
            return;
        }
        Dice late = dice.of(Feature.LATE_TAGS).at(4);
        int at = late.below(jobs.size() + 1);
        int pen = drawing.pen(late);
        jobs.add(
                at,
                Job.of(1_000_100, 0, 0, List.of(Drawing.inPen(pen, late)), Kind.BODY)
                        .with(new Ties(Set.of(), 0, Ties.LATE, false, 0)));
        Job last = Job.of(1_000_200, 0, 0, drawing.touches.draw(late.at(1)), Kind.BODY)
                .with(new Ties(Set.of(), Ties.LATE, 0, false, 0))
                .withPause(drawing.pause(late));
        jobs.add(
                at + 1 + late.below(jobs.size() - at),
                last.with(new Fate(drawing.wants(late, Feature.FAILURES) ? 1 : 0, 0, false, false)));
    }

    /** Adds a last job for each store in the engine's memory, which reads it into a handle. */
    private void addLast(List<Job> jobs, int size) {
        int number = 100 * size;
        for (Store store : List.copyOf(drawing.stores)) {
            if (store.isData() && store.home() == Home.ENGINE) {
                Store seen = new Store(
                        drawing.stores.size(),
                        Store.Kind.HANDLE,
                        Type.LONG,
                        Box.whole(1 + store.cells() % 3),
                        -1,
                        Home.ARRAY,
                        0,
                        Kinds.MODES);
                drawing.stores.add(seen);
                List<Touch> both =
                        List.of(new Touch(store.number(), How.READ, null), new Touch(seen.number(), How.WRITE, null));
                jobs.add(Job.of(number, 0, 0, both, Kind.BODY));
                number += 100;
            }
        }
    }
}

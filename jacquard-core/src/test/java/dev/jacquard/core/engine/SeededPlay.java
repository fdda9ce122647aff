package dev.jacquard.core.engine;

import dev.jacquard.core.engine.SeededSchedule.Action;
import dev.jacquard.core.graph.Domain;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.schedule.Policy;
import dev.jacquard.core.testing.Choices;
import dev.jacquard.core.testing.Program;
import dev.jacquard.core.testing.Shrink;
import dev.jacquard.core.testing.Trial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A program under a schedule that choices decide. Whether what is ready is what may be is looked at now and then.
 *
 * @param program what is submitted
 * @param workers how many play
 * @param policy what they go by
 */
public record SeededPlay(Program program, int workers, Policy policy) {
    /** Every so many steps the ready tasks are compared with those that may be. */
    private static final int CHECK_PERIOD = 5;

    /**
     * Plays once.
     *
     * @throws AssertionError when something happened that must not
     */
    public void play(Choices choices) {
        SeededSchedule schedule = new SeededSchedule(choices, workers, policy, Map.of());
        Object owner = new Object();
        TaskGraph graph = new TaskGraph("g", new Domain(owner, schedule.engine()), FailurePolicy.CONTINUE);
        Trial trial = new Trial(program, graph, owner);
        trial.pause(schedule::pause);
        trial.later(schedule::later);
        int[] steps = {0};
        schedule.between(() -> {
            if (++steps[0] % CHECK_PERIOD == 0) {
                trial.verifyReadiness();
            }
        });
        List<List<Action>> actions = new ArrayList<>();
        for (int who = 0; who < program.submitters().size(); who++) {
            int its = who;
            Action next = new Action(who == 0, () -> trial.submitNext(its));
            actions.add(Collections.nCopies(program.submitters().get(who).size(), next));
        }
        schedule.playAll(actions, trial::isOver);
        trial.verify();
    }

    /** Why choices drawn from {@code seed} fail, made small: which program, which choices; null when they do not. */
    public @Nullable String failure(long seed) {
        Choices drawn = Choices.drawn(seed);
        String failure = failure(drawn);
        if (failure == null) {
            return null;
        }
        int[] choices = drawn.taken();
        Program smallest = Shrink.minimal(
                program,
                smaller -> on(smaller).fails(Choices.of(choices)) || on(smaller).fails(Choices.drawn(seed)));
        Choices taken = Choices.of(choices);
        if (!on(smallest).fails(taken)) {
            taken = Choices.drawn(seed);
            on(smallest).fails(taken);
        }
        int[] fewest = Shrink.choices(taken.taken(), less -> on(smallest).fails(Choices.of(less)));
        return failure + "\nsmallest program:\n" + smallest + "its choices with " + workers + " workers under "
                + policy.name() + ": Choices.of("
                + Arrays.stream(fewest).mapToObj(Integer::toString).collect(Collectors.joining(", ")) + ")";
    }

    private SeededPlay on(Program other) {
        return new SeededPlay(other, workers, policy);
    }

    private @Nullable String failure(Choices choices) {
        try {
            play(choices);
            return null;
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private boolean fails(Choices choices) {
        try {
            return failure(choices) != null;
        } catch (IllegalArgumentException e) { // what is left of the program is not valid
            return false;
        }
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.testkit.Choices;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A program that failed, made smaller, and how to run that again.
 *
 * @param program as it was drawn
 * @param small what is left of it
 * @param choices of its schedule; null when it has none, or none were sought
 */
record Failure(Program program, Program small, int @Nullable [] choices) {
    /** Shrinks {@code program} as long as it fails in one of so many tries; not at all with 0. */
    static Failure of(Program program, Runner runner, int tries) {
        if (tries == 0) {
            return new Failure(program, program, null);
        }
        Program small = Shrinking.program(program, smaller -> failing(smaller, runner, tries) != null);
        Choices failing = failing(small, runner, tries);
        int[] choices = failing == null || !program.setting().played()
                ? null
                : Shrinking.choices(
                        failing.taken(),
                        fewer -> !runner.run(small, Choices.of(fewer)).isEmpty());
        return new Failure(program, small, choices);
    }

    private static String list(int[] choices) {
        return Arrays.stream(choices).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }

    private static @Nullable Choices failing(Program program, Runner runner, int tries) {
        for (int i = 0; i < tries; i++) {
            Choices choices = program.schedule(i);
            if (!runner.run(program, choices).isEmpty()) {
                return choices;
            }
        }
        return null;
    }

    /**
     * Says how to run it again.
     *
     * @param drawing the options by which it was drawn
     * @param dropped the tasks that were left out before
     */
    String again(CharSequence drawing, Set<Integer> dropped) {
        Set<Integer> gone = new HashSet<>(dropped);
        program.all().forEach(job -> gone.add(job.id()));
        small.all().forEach(job -> gone.remove(job.id()));
        StringBuilder text = new StringBuilder("  again: scripts/campaign --seeds 1 --times 100 --from ")
                .append(program.seed())
                .append(drawing);
        if (!gone.isEmpty()) {
            text.append(" --drop ")
                    .append(gone.stream().sorted().map(String::valueOf).collect(Collectors.joining(",")));
        }
        if (choices != null) {
            text.append(" --choices ").append(choices.length == 0 ? "0" : list(choices));
        }
        return text.toString();
    }
}

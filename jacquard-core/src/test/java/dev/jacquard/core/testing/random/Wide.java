package dev.jacquard.core.testing.random;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that a compiled graph has beside those of the program: they read what one of these accesses, and so are ready
 * together behind that one, and the next that writes it waits for all.
 *
 * @param run the job whose graph it is
 * @param behind the task behind which they come
 * @param read what they read
 * @param count how many they are
 */
record Wide(Job run, Job behind, List<Touch> read, int count) {
    private static final double SHARE = 0.5;
    private static final int FEWEST = 20;
    private static final int MOST = 180;

    /** Returns those of the graph of {@code run}; null if there are none. */
    static @Nullable Wide of(Program program, Job run) {
        Dice dice = new Dice(program.setting().wide() + run.id(), Set.of(), Set.of());
        if (program.setting().wide() == 0 || !run.isCompiled() || !dice.chance(SHARE)) {
            return null;
        }
        for (Job task : run.subs()) {
            for (Touch touch : task.touches()) {
                boolean fits = touch.how() == How.READ || touch.how() == How.UPDATE || touch.how() == How.WRITE;
                if (task.kind() == Job.Kind.BODY && fits) {
                    Touch read = new Touch(touch.store(), How.READ, touch.span());
                    return new Wide(run, task, List.of(read), FEWEST + dice.below(MOST));
                }
            }
        }
        return null;
    }

    /** Returns those behind {@code task}; null if there are none. */
    static @Nullable Wide behind(Program program, Job task) {
        return program.all()
                .filter(job -> job.isCompiled() && job.subs().contains(task))
                .findFirst()
                .map(run -> of(program, run))
                .filter(wide -> wide.behind.id() == task.id())
                .orElse(null);
    }
}

package dev.jacquard.core.testing.random;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The runs of compiled graphs as the judge does them again: with the graphs inside, the branches and the passes. */
final class CompiledRuns {
    private final Program program;
    private final Trial trial;
    private final Judge judge;
    /** How often each inner task should have run. */
    private final Map<Integer, Integer> ran = new HashMap<>();
    /** Whether all that was chosen is known. */
    private boolean certain = true;

    CompiledRuns(Program program, Trial trial, Judge judge) {
        this.program = program;
        this.trial = trial;
        this.judge = judge;
    }

    /** Does all runs of a job; returns whether none of the tasks that ran was to fail. */
    boolean run(Job job) {
        ran.clear();
        certain = true;
        boolean well = true;
        for (int i = Judge.runs(job); i > 0; i--) {
            well &= all(job.subs());
        }
        return well;
    }

    private boolean all(List<Job> jobs) {
        int passes = jobs.stream().mapToInt(job -> job.made().passes()).max().orElse(1);
        boolean well = true;
        for (int i = 0; i < passes; i++) {
            for (Job job : jobs) {
                well &= one(job);
            }
        }
        return well;
    }

    private boolean one(Job job) {
        if (job.kind() == Job.Kind.GRAPH) {
            boolean well = true;
            for (int i = job.made().uses(); i > 0; i--) {
                well &= all(job.subs());
            }
            return well;
        }
        ran.merge(job.id(), 1, Integer::sum);
        Long read = judge.work(job, job.touches());
        if (job.kind() == Job.Kind.CHOICE && !job.subs().isEmpty()) {
            return chosen(job, read);
        }
        return !job.fate().fails();
    }

    private boolean chosen(Job job, @Nullable Long read) {
        if (read == null) {
            certain = false;
            judge.forget(job.all());
            return true;
        }
        return all(job.subs().get(Bodies.branch(job, read)).subs());
    }

    /** The job is done: its tasks must have run as often as they should. */
    void compare(Seen its) {
        if (!certain || program.setting().hasFaults()) { // lost kernels run again
            return;
        }
        Wide wide = Wide.of(program, its.job);
        int passes = its.job.subs().stream()
                .mapToInt(job -> job.made().passes())
                .max()
                .orElse(1);
        int most = wide == null ? 0 : wide.count() * passes * Judge.runs(its.job);
        if (its.beside.get() != most) {
            judge.violation(Violation.Kind.STATE, its + " ran " + its.beside + " tasks beside, not " + most);
        }
        its.job.subs().stream()
                .flatMap(Job::all)
                .filter(job -> !job.kind().isFormula())
                .map(trial::of)
                .forEach(inner -> {
                    int entered = inner.entered.get();
                    int should = ran.getOrDefault(inner.job.id(), 0);
                    boolean again = inner.job.kind() == Job.Kind.KERNEL && !program.isCalm(); // for what was lost
                    if (again ? entered < should : entered != should) {
                        judge.violation(
                                Violation.Kind.STATE, its + " ran " + inner + " " + entered + " times, not " + should);
                    }
                });
    }
}

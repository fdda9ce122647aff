package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.testing.random.Job.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Programs that tasks which refine have inside themselves: their bodies make handles, data and locks, their sub-tasks
 * work on those, though the tasks declare nothing of it, and in some a task of a graph that sees all in the end. Such a
 * program may have others further inside.
 *
 * <p>Threads: those that run bodies, for one task only one; when all is over, the one that judges.
 */
final class Inside {
    private static final double SHARE = 0.6;
    private static final double DEEPER = 0.5;
    private static final double SEEN_OUTSIDE = 0.5;
    /** The features of programs of sub-tasks that need nothing else of the session. */
    private static final Set<Feature> FEATURES = EnumSet.of(
            Feature.DATA,
            Feature.AREAS,
            Feature.PARTS,
            Feature.DEVICES,
            Feature.KERNELS,
            Feature.TARGETS,
            Feature.REFINE,
            Feature.DEMOTE,
            Feature.PENDING,
            Feature.ADDS,
            Feature.UNORDERED,
            Feature.EDGES,
            Feature.BARRIERS,
            Feature.ASYNC,
            Feature.DRIVER,
            Feature.RETRIES,
            Feature.PREFETCH,
            Feature.RELEASE,
            Feature.KINDS,
            Feature.YIELD,
            Feature.HINTS,
            Feature.STAGES,
            Feature.LOOPS,
            Feature.SOLID,
            Feature.GAPS,
            Feature.STRICT,
            Feature.NAMES,
            Feature.ALIGNED,
            Feature.WITHIN,
            Feature.BEHIND);

    private final Around around;
    private final Program program;
    /** For the id of each task that has one the program inside. */
    private final Map<Integer, Part> parts = new ConcurrentHashMap<>();

    /**
     * A program inside a task.
     *
     * @param place of its last task, which sees what the others have written
     */
    private record Part(Trial trial, List<Job> jobs, Place place) {
        Job last() {
            return jobs.getLast();
        }
    }

    /** Where the last task of a program inside is. */
    private enum Place {
        /** Where the others are. */
        INSIDE,
        /** In a graph. */
        GRAPH,
        /** Among the sub-tasks of what is left behind those around. */
        AFTERWARDS
    }

    Inside(Around around) {
        this.around = around;
        this.program = around.program();
    }

    private Dice dice(Job job) {
        return new Dice(program.setting().inside() + job.id(), Set.of(), Set.of());
    }

    /** True if {@code job} has a program inside. */
    boolean has(Job job) {
        return program.setting().inside() != 0
                && !job.subs().isEmpty()
                && dice(job).chance(SHARE);
    }

    /** True if its resources are made before it refines, else within. */
    boolean beginsEarly(Seen its) {
        return dice(its.job).at(1).chance(0.5);
    }

    /** Makes the resources. By the body of {@code its}. */
    void begin(Seen its) {
        if (!has(its.job)) {
            return;
        }
        try {
            Trial trial = around.trial(draw(its.job));
            if (trial != null) {
                parts.put(its.job.id(), new Part(trial, trial.program().jobs(), place(its.job)));
            }
        } catch (IllegalStateException e) {
            if (!program.setting().closes()) { // else the session is closed perhaps
                throw e;
            }
        }
    }

    private Place place(Job job) {
        Dice dice = dice(job).at(2);
        if (program.setting().played() || !dice.chance(SEEN_OUTSIDE)) {
            return Place.INSIDE;
        }
        boolean afterwards = program.all()
                .anyMatch(outer -> outer.course().afterwards() && outer.subs().contains(job));
        return afterwards && dice.chance(0.7) ? Place.AFTERWARDS : Place.GRAPH;
    }

    /** The program inside {@code job}, whose last task sees all. */
    private Program draw(Job job) {
        Setting setting = program.setting();
        Set<Feature> features = around.available(FEATURES);
        if (setting.played()) { // which says of the tasks around for whom they wait
            features.remove(Feature.BARRIERS);
        }
        Dice dice = dice(job);
        Program drawn = Program.draw(dice.at(3).next(), features, around.required());
        long deeper =
                !setting.within() && dice.at(4).chance(DEEPER) ? dice.at(5).next() | 1 : 0;
        List<Job> jobs = new ArrayList<>();
        int tags = 1_000_000 + dice.at(7).below(1 << 29);
        for (Job each : drawn.jobs()) {
            if (!each.kind().isOwn() || each.kind() == Kind.PREFETCH || each.kind() == Kind.RELEASE) {
                jobs.add(withTags(each, tags));
            }
        }
        List<Touch> all = new ArrayList<>();
        for (Store store : drawn.stores()) {
            if (store.parent() < 0 && !store.kind().isUnordered()) {
                all.add(new Touch(store.number(), How.UPDATE, null));
            }
        }
        int number = 100 * drawn.jobs().size() + 100;
        jobs.add(Job.of(number, 0, job.graph(), all, Kind.BODY));
        return new Program(drawn.seed(), setting.inside(program.isCalm(), deeper), drawn.stores(), jobs, null);
    }

    /** With tags that no task outside has. */
    private static Job withTags(Job job, int from) {
        Job.Ties ties = job.ties();
        return job.with(new Job.Ties(
                        ties.after(),
                        ties.tag() > 0 ? from + ties.tag() : 0,
                        ties.afterTag() > 0 ? from + ties.afterTag() : 0,
                        ties.barrier(),
                        ties.priority()))
                .with(job.course()
                        .with(jobs ->
                                jobs.stream().map(each -> withTags(each, from)).toList()));
    }

    /** Submits the sub-tasks, before the task's own or behind them. By the body of {@code its}. */
    void submit(Seen its, Tasks where, int turn) {
        Part part = parts.get(its.job.id());
        if (part == null) {
            return;
        }
        if (turn == (program.setting().played() ? 1 : 0)) {
            part.trial().world().load(where);
        }
        List<Job> jobs = part.jobs();
        boolean played = program.setting().played(); // then barriers of the task's own have to wait for none of them
        int some = played ? 0 : dice(its.job).at(6).below(jobs.size() + 1);
        for (Job each : turn == 0 ? jobs.subList(0, some) : jobs.subList(some, jobs.size())) {
            if (part.place() == Place.INSIDE || !each.equals(part.last())) {
                part.trial().submitInside(where, each);
            }
        }
    }

    /** Submits what sees all to a graph, behind the sub-tasks. By the body of {@code its}. */
    void outside(Seen its) {
        Part part = parts.get(its.job.id());
        if (part != null && part.place() == Place.GRAPH) {
            part.trial().submitInside(around.graphs()[its.job.graph()], part.last());
        }
    }

    /** True if sub-tasks of what is left behind those of {@code its} see what some of these have made. */
    boolean hasAfterwards(Seen its) {
        return its.job.subs().stream().anyMatch(this::isAfterwards);
    }

    private boolean isAfterwards(Job job) {
        Part part = parts.get(job.id());
        return part != null && part.place() == Place.AFTERWARDS;
    }

    /** Submits those. By the body of what is left. */
    void afterwards(Seen its, Tasks where) {
        its.job.subs().stream().filter(this::isAfterwards).forEach(job -> {
            Part part = Objects.requireNonNull(parts.get(job.id()));
            part.trial().submitInside(where, part.last());
        });
    }

    /** True if bodies submit to the graphs. */
    boolean submits() {
        return program.setting().inside() != 0;
    }

    /** Does {@code what} for each of them. */
    void forEach(Consumer<Trial> what) {
        for (Part part : parts.values()) {
            what.accept(part.trial());
            part.trial().inside().forEach(what);
        }
    }

    /** Judges those whose tasks are done, which are in {@code outer}. All is over. */
    void judge(Trial outer) {
        program.all().map(outer::of).forEach(its -> {
            Part part = parts.get(its.job.id());
            if (part != null) {
                Around.judge(part.trial(), isDone(its, part), "inside " + its, outer.bodies());
            }
        });
    }

    /** Returns whether all is done; a last task elsewhere must be when the task around is. */
    private boolean isDone(Seen its, Part part) {
        if (its.state() != TaskState.DONE || part.place() == Place.INSIDE) {
            return its.state() == TaskState.DONE;
        }
        Seen end = part.trial().of(part.last());
        boolean done = end.state() == TaskState.DONE;
        if (!done && !around.mayFail()) {
            part.trial()
                    .bodies()
                    .violation(
                            Violation.Kind.STATE,
                            "outside of " + its + " " + end + " is " + end.state() + end.why() + end.refusal);
        }
        return done;
    }

    /** All is over. */
    void forget() {
        parts.values().forEach(part -> part.trial().forget());
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.SeededSession;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.SeededSchedule;
import dev.jacquard.engine.SeededSchedule.Action;
import dev.jacquard.testkit.Choices;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * The threads of a run, played by one under a schedule that choices decide: workers, submitters, timers, and those who
 * complete what asynchronous tasks began. In half of the runs threads are late. Now and then the tasks that are ready
 * are held against those that may be.
 */
final class Played implements Pace {
    /** Every so many steps the ready tasks are compared with those that may be. */
    private static final int CHECK_PERIOD = 5;
    /** Features with threads of their own, and those that interrupt, or know, the thread of a body. */
    private static final Set<Feature> THREADED = EnumSet.of(
            Feature.DEVICES,
            Feature.REAL,
            Feature.FAULTS,
            Feature.MEMORY,
            Feature.DENSE,
            Feature.LIMITS,
            Feature.INTERRUPTS,
            Feature.CHECKING,
            Feature.RACING,
            Feature.COMPONENTS,
            Feature.STREAMS,
            Feature.BREAKING,
            Feature.FULL_STACK,
            Feature.INTERRUPTED_CLOSE,
            Feature.WATCHED,
            Feature.PIPELINES);

    private final SeededSchedule schedule;
    private int steps;

    Played(Choices choices) {
        schedule = new SeededSchedule(choices);
        if (choices.next(2) == 0) {
            schedule.runLate();
        }
    }

    /** The features of a program that has {@code enabled}, if it is played. */
    static Set<Feature> without(Set<Feature> enabled) {
        Set<Feature> left = EnumSet.copyOf(enabled);
        left.removeAll(THREADED);
        return left;
    }

    /** True if a program that always has {@code features} can be played. */
    static boolean allows(Set<Feature> features) {
        return features.stream().noneMatch(THREADED::contains);
    }

    @Override
    public Session open(SessionBuilder builder) {
        return SeededSession.open(builder, schedule);
    }

    @Override
    public void opener(Runnable what) {
        schedule.perform(what);
    }

    @Override
    public void submitAll(Program program, Trial trial, Session session) {
        Readiness readiness = new Readiness(program, trial);
        schedule.between(() -> {
            if (++steps % CHECK_PERIOD == 0) {
                readiness.check();
            }
        });
        List<List<Action>> chains = new ArrayList<>();
        for (int who = 0; who < program.setting().submitters(); who++) {
            int submitter = who;
            Stream<Action> last =
                    program.holdsViews() ? Stream.of(new Action(true, true, trial::closeView)) : Stream.empty();
            chains.add(Stream.concat(
                            program.jobs().stream()
                                    .filter(job -> job.submitter() == submitter)
                                    .map(job ->
                                            new Action(submitter == 0, mayWait(program, job), () -> trial.submit(job))),
                            last)
                    .toList());
        }
        boolean goesOn = program.setting().frees() || program.setting().closes();
        schedule.playAll(
                chains,
                () -> goesOn
                        || Stream.concat(Stream.of(trial.graphs()), Stream.of(session.graph()))
                                .allMatch(TaskGraph::isOver));
    }

    private static boolean mayWait(Program program, Job job) {
        return program.setting().windows()[job.graph()] > 0
                || job.kind().waits()
                || program.holdsViews(); // which this one may close
    }

    @Override
    public void pause(Job job) {
        schedule.pause();
    }

    @Override
    public void linger(Job job, long nanos) {
        schedule.pause();
    }

    @Override
    public void later(Runnable what) {
        schedule.later(what);
    }

    @Override
    public Executor drivers(Session session) {
        return schedule::later;
    }

    @Override
    public Object runner() {
        return "player " + schedule.player();
    }
}

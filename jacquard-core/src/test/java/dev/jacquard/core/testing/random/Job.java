package dev.jacquard.core.testing.random;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One task of a program.
 *
 * @param id also its number for the work
 * @param submitter the thread that submits it, 0 for the opener
 * @param graph 0, or 1 for the graph that may be cancelled
 * @param touches what it declares
 * @param kind how it is submitted
 * @param where where it runs
 * @param ties what its accesses do not tell
 * @param fate how it ends
 * @param course what happens to its accesses
 * @param made how a compiled graph is made
 * @param manner what else is said of it, and done with it
 * @param pause how long its body takes besides
 */
record Job(
        int id,
        int submitter,
        int graph,
        List<Touch> touches,
        Kind kind,
        Where where,
        Ties ties,
        Fate fate,
        Course course,
        Made made,
        Manner manner,
        int pause) {
    static Job of(int id, int submitter, int graph, List<Touch> touches, Kind kind) {
        return new Job(
                id,
                submitter,
                graph,
                List.copyOf(touches),
                kind,
                Where.FREE,
                Ties.NONE,
                Fate.WELL,
                Course.NONE,
                Made.SIMPLY,
                Manner.PLAIN,
                0);
    }

    Job with(List<Touch> others, Kind other) {
        return new Job(
                id, submitter, graph, List.copyOf(others), other, where, ties, fate, course, made, manner, pause);
    }

    Job with(Where other) {
        return new Job(id, submitter, graph, touches, kind, other, ties, fate, course, made, manner, pause);
    }

    Job with(Ties other) {
        return new Job(id, submitter, graph, touches, kind, where, other, fate, course, made, manner, pause);
    }

    Job with(Fate other) {
        return new Job(id, submitter, graph, touches, kind, where, ties, other, course, made, manner, pause);
    }

    Job with(Course other) {
        return new Job(id, submitter, graph, touches, kind, where, ties, fate, other, made, manner, pause);
    }

    Job with(Made other) {
        return new Job(id, submitter, graph, touches, kind, where, ties, fate, course, other, manner, pause);
    }

    Job with(Manner other) {
        return new Job(id, submitter, graph, touches, kind, where, ties, fate, course, made, other, pause);
    }

    Job withPause(int other) {
        return new Job(id, submitter, graph, touches, kind, where, ties, fate, course, made, manner, other);
    }

    List<Touch> early() {
        return course.early();
    }

    List<Job> inside() {
        return course.inside();
    }

    List<Touch> demotions() {
        return course.demotions();
    }

    List<Job> subs() {
        return course.subs();
    }

    /** The demotions of its body behind the sub-tasks. */
    List<Touch> behind() {
        return course.behind();
    }

    /** The sub-tasks of the work left to do behind the others. */
    List<Job> more() {
        return course.more();
    }

    List<Job> spawned() {
        return course.spawned();
    }

    /** How a task is submitted. */
    enum Kind {
        BODY,
        CALL,
        /** A kernel with a body for a target. */
        PLAIN_KERNEL,
        /** A kernel that is given its data. */
        KERNEL,
        /** The loop of a formula: its last store is set, by those before. */
        FORMULA,
        /** Likewise, of a formula that reads ghosts: it sets all else. */
        STENCIL,
        /** Fills the ghosts of a store. */
        GHOSTS,
        /** Begins what another thread completes. */
        ASYNC,
        /** A function on a thread of its own. */
        DRIVER,
        /** A recorded graph as a task. */
        COMPILED,
        /** A recorded graph that the submitter runs. */
        COMPILED_RUN,
        /** A recorded graph of which the submitter starts a run, and does not wait. */
        COMPILED_START,
        /** In a compiled graph: another graph. */
        GRAPH,
        /** In a compiled graph: chooses a branch. */
        CHOICE,
        /** The tasks of a branch. */
        BRANCH,
        /** In a compiled graph: decides on another pass. */
        REPEAT,
        PREFETCH,
        /** Gives memory back, and writes it anew. */
        RELEASE,
        /** Waits for data, and has it brought home. */
        FETCH,
        /** The submitter waits for it. */
        LOOK,
        /** The submitter holds a view. */
        VIEW,
        /** The submitter frees data, and makes it anew. */
        ANEW,
        /** Cancels graph 1. */
        CANCEL;

        boolean isAsynchronous() {
            return this == ASYNC || this == DRIVER || this == COMPILED || this == KERNEL;
        }

        /** True if who submits it waits for tasks. */
        boolean waits() {
            return this == LOOK || this == VIEW || this == FETCH || this == ANEW || this == COMPILED_RUN;
        }

        /** True if it is no task that its submitter declares and submits in a graph. */
        boolean isOwn() {
            return switch (this) {
                case BODY, CALL, PLAIN_KERNEL, KERNEL, FORMULA, STENCIL, GHOSTS, ASYNC, DRIVER, COMPILED, LOOK -> false;
                case COMPILED_RUN, COMPILED_START, GRAPH, CHOICE, BRANCH, REPEAT -> true;
                case PREFETCH, RELEASE, FETCH, VIEW, ANEW, CANCEL -> true;
            };
        }

        /** True if a module above makes it. */
        boolean isFormula() {
            return this == FORMULA || this == STENCIL || this == GHOSTS;
        }

        boolean hasBody() {
            return this == BODY || this == CALL || this == PLAIN_KERNEL || this == LOOK;
        }
    }

    /**
     * Where it runs.
     *
     * @param target -4 on any device, -3 anywhere, -2 the second kind of workers, -1 the host, else the number of the
     *     device
     */
    record Where(int target, Main main) {
        static final Where FREE = new Where(-3, Main.NO);
        static final int DEVICES = -4;
        static final int ANYWHERE = -3;
        static final int OTHERS = -2;
        static final int HOST = -1;

        /** True if the main thread runs it, and when that is said. */
        enum Main {
            NO,
            BEFORE,
            AFTER
        }

        boolean isMain() {
            return main != Main.NO;
        }
    }

    /** The order that accesses do not tell; tags are 0 for none. */
    record Ties(Set<Integer> after, int tag, int afterTag, boolean barrier, int priority) {
        static final Ties NONE = new Ties(Set.of(), 0, 0, false, 0);
        /** The tag of one task, which is submitted behind the one that comes after it. */
        static final int LATE = 9;
    }

    /**
     * How it ends.
     *
     * @param failures how many tries throw
     * @param retries how many more tries there are than one
     * @param limit whether a time limit passes
     * @param uncompiled whether a device that is told of a try which throws does not compile its kernel
     */
    record Fate(int failures, int retries, boolean limit, boolean uncompiled) {
        static final Fate WELL = new Fate(0, 0, false, false);

        boolean fails() {
            return limit || failures > retries;
        }
    }

    /**
     * How a compiled graph is made, and used.
     *
     * @param built whether the user says its edges
     * @param uses how often it is a task of the graph around it
     * @param passes of its tasks, where one of them decides on that
     * @param limit how many of its tasks run at a time; 0 for any number
     */
    record Made(boolean built, int uses, int passes, int limit) {
        static final Made SIMPLY = new Made(false, 1, 1, 0);
    }

    /**
     * What else is said of a task, and done with it.
     *
     * @param affinity the worker that is to run it; -1 for any
     * @param flag the number of a flag of the user's; 0 for none; of a run that is waited for whether it has no place
     *     among others
     * @param stage whether other code waits for its stage
     * @param loop whether its body has a loop that others help with
     * @param interruptible whether its body is interrupted when its graph is cancelled, its stage cancelled; of a run
     *     whether that is cancelled
     * @param grouped whether it belongs to the group of its graph
     * @param named whether its kernel finds its arguments by name
     * @param own whether its body waits in a session of its own
     * @param within whether its driver runs its function before it returns
     * @param held whether its submitter holds its view while it submits others
     * @param tree whether a formula is a tree of loops, which are its sub-tasks; of those in a compiled graph tasks
     *     there
     * @param bound whether the parameters of its kernel have the names of its data, and modes, and it declares its
     *     accesses in another order
     * @param pipeline whether its kernel is the item of a macro task, unless it fails
     */
    record Manner(
            int affinity,
            int flag,
            boolean stage,
            boolean loop,
            boolean interruptible,
            boolean grouped,
            boolean named,
            boolean own,
            boolean within,
            boolean held,
            boolean tree,
            boolean bound,
            boolean pipeline) {
        static final Manner PLAIN =
                new Manner(-1, 0, false, false, false, false, false, false, false, false, false, false, false);
        static final Manner TREE =
                new Manner(-1, 0, false, false, false, false, false, false, false, false, true, false, false);
    }

    /** True if it is submitted before the one that it comes after. */
    boolean isEarly() {
        return ties.afterTag == Ties.LATE;
    }

    boolean isAdjusted() {
        return !early().isEmpty() || !inside().isEmpty();
    }

    boolean isCompiled() {
        return kind == Kind.COMPILED || isRun();
    }

    /** True if it has tasks inside that are all it does. */
    boolean holdsTasks() {
        return isCompiled() || kind == Kind.GRAPH || kind == Kind.BRANCH;
    }

    boolean isCancelledRun() {
        return isCompiled() && manner.interruptible;
    }

    /** True if it is a run without a place among others, where that may be. */
    boolean isUnordered() {
        return kind == Kind.COMPILED_RUN && manner.flag > 0;
    }

    /** True if it is no task of a live graph. */
    boolean isRun() {
        return kind == Kind.COMPILED_RUN || kind == Kind.COMPILED_START;
    }

    /** Its accesses that are left when it starts. */
    List<Touch> atStart() {
        return demoted(touches, early());
    }

    /** Its accesses that its sub-tasks share out. */
    List<Touch> atSplit() {
        return demoted(atStart(), demotions());
    }

    /** Its accesses that are left in the end. */
    List<Touch> atEnd() {
        return demoted(atSplit(), behind());
    }

    /** The touches of the work left to do behind its sub-tasks, which finds what these wrote. */
    List<Touch> afterwards() {
        return Touches.withoutOverwriting(atEnd());
    }

    static List<Touch> demoted(List<Touch> touches, List<Touch> to) {
        List<Touch> left = new ArrayList<>(touches);
        for (Touch one : to) {
            left.replaceAll(touch -> touch.store() == one.store() ? one : touch);
        }
        return left;
    }

    /** This one, all inside, and all that those submit. */
    Stream<Job> all() {
        return inner().flatMap(job ->
                Stream.concat(Stream.of(job), job.spawned().stream().flatMap(Job::all)));
    }

    /** This one and all inside. */
    Stream<Job> inner() {
        return Stream.concat(
                Stream.of(this),
                Stream.of(inside(), subs(), more()).flatMap(List::stream).flatMap(Job::inner));
    }

    /** Without those of {@code ids}, which this is none of. */
    Job without(Set<Integer> ids) {
        return with(course.without(ids));
    }

    static List<Job> without(List<Job> jobs, Set<Integer> ids) {
        return jobs.stream()
                .filter(job -> !ids.contains(job.id))
                .map(job -> job.without(ids))
                .toList();
    }

    String text(String indent) {
        StringBuilder text = new StringBuilder(indent + "t" + id + " " + kind + " " + touches);
        text.append(submitter > 0 ? " by submitter " + submitter : "").append(graph > 0 ? " in graph b" : "");
        text.append(where.target == Where.ANYWHERE ? "" : " on " + where.target);
        text.append(where.isMain() ? " main " + where.main : "");
        text.append(ties.equals(Ties.NONE) ? "" : " " + ties);
        text.append(fate.equals(Fate.WELL) ? "" : " " + fate);
        text.append(made.equals(Made.SIMPLY) ? "" : " " + made);
        text.append(manner.equals(Manner.PLAIN) ? "" : " " + manner);
        text.append(early().isEmpty() ? "" : " early " + early());
        text.append(course.turned() ? " behind those from outside" : "");
        text.append(demotions().isEmpty() ? "" : " demotes " + demotions() + (course.late() ? " works on" : ""));
        text.append(behind().isEmpty() ? "" : " gives up behind sub-tasks " + behind());
        text.append(course.afterwards() ? " afterwards" : "").append(pause > 0 ? " pause " + pause : "");
        text.append('\n');
        inside().forEach(job -> text.append(job.text(indent + "  (outside) ")));
        subs().forEach(job -> text.append(job.text(indent + "    ")));
        more().forEach(job -> text.append(job.text(indent + "  (afterwards) ")));
        spawned().forEach(job -> text.append(job.text(indent + "  (submits) ")));
        return text.toString();
    }
}

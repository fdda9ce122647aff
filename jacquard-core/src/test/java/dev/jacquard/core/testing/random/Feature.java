package dev.jacquard.core.testing.random;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * A feature of the engine that programs use, each with a name for the command line. Programs of one seed with and
 * without a feature are alike in everything else, as far as that is possible. New ones come last, so that the programs
 * of seeds stay.
 */
public enum Feature {
    /** Elements in memory that the engine moves, whole and in parts. */
    DATA(0.7, 1),
    /** Areas of handles and parts of data. */
    AREAS(0.7, 0.9),
    /** Handles that are parts of others. */
    PARTS(0.3, 0.7),
    /** Emulated devices, and kernels on them. */
    DEVICES(0.6, 1),
    /** Real devices, where they are offered. */
    REAL(1, 1),
    /** Kernels, on whatever target. */
    KERNELS(0.7, 0.9),
    /** Tasks that name where they run. */
    TARGETS(0.5, 0.6),
    /** Tasks of the main thread. */
    MAIN(0.3, 0.4),
    /** Refinement by the running body. */
    REFINE(0.4, 0.6),
    /** Demotion by the running body. */
    DEMOTE(0.4, 0.8),
    /** Refinement and demotion from outside. */
    PENDING(0.35, 0.7),
    /** Atomic additions and multiplications. */
    ADDS(0.5, 0.4),
    /** Resources without an order. */
    UNORDERED(0.3, 0.6),
    /** Edges, tags and priorities. */
    EDGES(0.3, 0.4),
    /** Barriers. */
    BARRIERS(0.2, 0.2),
    /** Tasks whose stage completes later. */
    ASYNC(0.3, 0.4),
    /** Functions on a thread of their own. */
    DRIVER(0.3, 0.5),
    /** Bodies that throw. */
    FAILURES(0.35, 0.25),
    /** Failed bodies that are tried again. */
    RETRIES(0.3, 0.4),
    /** Time limits that pass. */
    LIMITS(0.15, 0.15),
    /** A graph that is cancelled, or whose deadline passes. */
    CANCEL(0.2, 1),
    /** Devices that fail. */
    FAULTS(0.15, 1),
    /** Several threads that submit. */
    SUBMITTERS(0.3, 1),
    /** Bounds of how many tasks are live. */
    WINDOW(0.3, 1),
    /** Recorded graphs beside live tasks. */
    COMPILED(0.3, 0.4),
    /** Data that is brought ahead of its use. */
    PREFETCH(0.25, 0.3),
    /** Memory that is given back and written anew. */
    RELEASE(0.25, 0.3),
    /** Little memory on host and devices, with a file behind. */
    MEMORY(0.25, 1),
    /** User code that waits for values between its submissions. */
    LOOKS(0.3, 0.2),
    /** Checking mode. */
    CHECKING(0.15, 1),
    /** Other policies than the usual one. */
    POLICIES(0.5, 1),
    /** A session that is closed without a wait and without a fetch. */
    CLOSE(0.4, 1),
    /** Data whose memory is given back for good while tasks may still access it. */
    FREE(0.15, 1),
    /** Graphs within recorded graphs, some of them twice. */
    NESTED(0.5, 0.6),
    /** Branches and further passes of recorded graphs. */
    DECISIONS(0.4, 0.5),
    /** Compiled graphs with edges that the user says. */
    BUILT(0.4, 0.8),
    /** Runs of recorded graphs that nobody waits for. */
    STARTED(0.4, 0.5),
    /** Kinds of access of the user's: tables, and classes. */
    KINDS(0.3, 0.8),
    /** Demotion by asynchronous bodies, and by functions on threads of their own. */
    YIELD(0.3, 0.6),
    /** Tasks that bodies submit to graphs, and do not wait for; a listener that hears of all tasks. */
    SPAWN(0.3, 0.5),
    /** Programs of which most tasks are kernels on one device. */
    DENSE(0.12, 1),
    /** Data that the submitter fetches in the middle. */
    FETCH(0.25, 0.2),
    /** Sessions that leave results on devices. */
    LEAVE(0.15, 1),
    /** Other cache policies than the usual one. */
    CACHES(0.3, 1),
    /** Workers that are to run a task, and flags of the user's. */
    HINTS(0.3, 0.5),
    /** Code that waits for the stages of tasks. */
    STAGES(0.3, 0.5),
    /** Loops of bodies that others help with. */
    LOOPS(0.25, 0.5),
    /** Bodies that are interrupted when their graph is cancelled, and stages that are given up. */
    INTERRUPTS(0.5, 0.7),
    /** Runs of recorded graphs that are cancelled. */
    CANCELLED_RUNS(0.3, 0.5),
    /** A task that comes behind one with a tag that is submitted later. */
    LATE_TAGS(0.3, 1),
    /** Stores of three dimensions. */
    SOLID(0.3, 0.5),
    /** Gaps between the rows of data, where the user has it. */
    GAPS(0.5, 0.9),
    /** Data that is freed between submissions, and made anew. */
    ANEW(0.2, 0.15),
    /** Kernels that only devices can run, and kernels that are tried again. */
    STRICT(0.3, 0.6),
    /** Submitters that do not wait for each other. */
    RACING(0.4, 1),
    /**
     * Workers and submitters that one thread plays under a schedule drawn from the seed; what needs threads is left
     * out.
     */
    PLAYED(0.25, 1),
    /** Runs of compiled graphs without a place among live tasks. */
    ALONE(0.4, 0.4),
    /** Cancelled runs that somebody waits for, or that are tasks. */
    CANCELLED_TASKS(0.2, 0.5),
    /** Groups of tasks, which are told when these are over. */
    GROUPS(0.25, 0.5),
    /** Kernels that find their arguments by name. */
    NAMES(0.3, 0.6),
    /** Rows of the engine's memory that begin on boundaries. */
    ALIGNED(0.5, 0.7),
    /** Limits of how many tasks of a compiled graph run at a time, and measured tasks. */
    TASK_LIMITS(0.4, 0.5),
    /** Loops of formulas, where a module above makes them. */
    FORMULAS(0.3, 0.6),
    /** Components that submit tasks, where a module above runs them. */
    COMPONENTS(0.3, 1),
    /** Kernels that devices do not compile, each time or the first times. */
    UNCOMPILED(0.4, 0.7),
    /** Bodies and functions that wait in a session of their own. */
    OWN_SESSIONS(0.15, 0.3),
    /** Functions that their driver runs before it returns. */
    WITHIN(0.5, 0.5),
    /** A thread that looks at all that the session tells of itself. */
    WATCHED(0.15, 1),
    /** Graphs that keep their history, and a trace of states. */
    KEPT(0.15, 1),
    /** A policy that adds edges between tasks. */
    POLICY_EDGES(0.15, 1),
    /** Views that a submitter holds while it submits, and waits for, what has nothing to do with them. */
    HELD_VIEWS(0.4, 0.2),
    /** Demotion of refined tasks: behind the submission of their sub-tasks, and when these are over. */
    BEHIND(0.5, 0.8),
    /** A session that an interrupted thread closes, which cancels what has not begun. */
    INTERRUPTED_CLOSE(0.25, 1),
    /** A stall watch that looks after a millisecond or so, and does what a thread had no stack for. */
    STALLS(0.1, 1),
    /** Wrong calls between the right ones, which are refused and leave nothing behind. */
    MISTAKES(0.2, 1),
    /** Very many tasks of a compiled graph that become ready together, and for all of which one waits. */
    WIDE(0.2, 1),
    /** Programs of their own that tasks have inside themselves, on handles and data that they make. */
    INSIDE(0.2, 1),
    /** Runs of compiled graphs beside all that is submitted, each of which begins the next one where it ends. */
    BESIDE(0.2, 1),
    /** Policies with another order or placement than their own. */
    MIXED(0.2, 1),
    /** Streams whose bodies submit tasks, where a module above runs them. */
    STREAMS(0.3, 1),
    /** A policy whose order fails in the midst of the run, and ends it. */
    BREAKING(0.1, 1),
    /** A submission that finds the stack full, or almost. */
    FULL_STACK(0.05, 1),
    /** Devices that are too small for some kernels, which run on the host then. */
    SMALL_DEVICES(0.1, 1),
    /**
     * Trees of formulas, with temporaries, inside of tasks, in graphs, or recorded, where a module above makes them.
     */
    TREES(0.7, 0.5),
    /** Kernels whose parameters have the names of their data, which tasks access in another order. */
    BY_NAME(0.3, 0.6),
    /** Kernels that are the items of macro tasks, which devices do by a pipeline, the host by a fork-join. */
    PIPELINES(0.3, 0.6);

    /** In how many programs it is drawn. */
    final double share;
    /** How often it is used there, at most. */
    final double most;

    Feature(double share, double most) {
        this.share = share;
        this.most = most;
    }

    /** The feature of that name; throws {@link IllegalArgumentException}. */
    static Feature named(String name) {
        return valueOf(name.strip().toUpperCase(Locale.ROOT));
    }

    /** The features named in a list with commas. */
    static Set<Feature> list(String names) {
        Set<Feature> all = EnumSet.noneOf(Feature.class);
        for (String name : names.split(",", -1)) {
            all.add(named(name));
        }
        return all;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.macro.MacroTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program again over plain arrays, in the order in which it was submitted, and holds the ends of its tasks and
 * the contents of its stores against that. Where time decides how a task ends, the end that was seen counts. When all
 * is over.
 */
final class Judge {
    /** Parts of the messages that tell what a fault of a device did. */
    private static final List<String> FAULTS =
            List.of("has nowhere else to run", "is lost", "failed 3 times", "finds no room", "is not run elsewhere");

    private final Program program;
    private final Trial trial;
    private final long[][] cells;
    /** How often data was made anew. */
    private final int[] made;
    /** Cells of which the contracts do not say what they hold. */
    private final boolean[][] unknown;

    private final CompiledRuns compiled;
    private final Level top = new Level();
    /** For the number of each work what it should have read when it was done last. */
    private final Map<Long, Long> expected = new HashMap<>();

    private final Set<Integer> bad = new HashSet<>();
    private final Set<List<Integer>> badTags = new HashSet<>();
    /** Data that some addition did not end well on. */
    private final Set<Integer> halfAdded;

    private final boolean faulty;

    /** The accesses to write of a level's tasks that did not end well. */
    private static final class Level {
        /** No task may read it. */
        final List<Touch> poison = new ArrayList<>();
        /** Tasks that read it may be kept from running. */
        final List<Touch> doubtful = new ArrayList<>();
        /** The part of the poison that is as it was: its tasks did not begin. By identity. */
        final Set<Touch> asBefore = Collections.newSetFromMap(new IdentityHashMap<>());
    }

    Judge(Program program, Trial trial) {
        this.program = program;
        this.trial = trial;
        this.cells =
                program.stores().stream().map(store -> World.contents(store, 0)).toArray(long[][]::new);
        this.made = new int[cells.length];
        this.unknown = program.stores().stream()
                .map(store -> new boolean[store.cells()])
                .toArray(boolean[][]::new);
        this.halfAdded = halfAdded();
        this.compiled = new CompiledRuns(program, trial, this);
        Setting setting = program.setting();
        this.faulty = setting.hasFaults();
    }

    /** The number of the work behind a demotion. */
    static long late(Job job, int step) {
        return job.id() + ((long) step << 32);
    }

    /** How often the submitter runs a recorded graph. */
    static int runs(Job job) {
        return job.kind() == Job.Kind.COMPILED_RUN ? 1 + job.id() / 100 % 4 : 1;
    }

    void violation(Violation.Kind kind, String text) {
        trial.bodies().violation(kind, text);
    }

    void judge() {
        judgeInside();
        trial.beside().judge(trial);
        trial.groups().verify(trial.bodies());
        trial.told().verify(program, trial);
        trial.log().wrong().forEach(wrong -> violation(Violation.Kind.STATE, "the listener was told: " + wrong));
    }

    /** Judges a program that ran inside a task, or beside the tasks, of another one, and is done. */
    void judgeInside() {
        for (Seen its : trial.submissions()) {
            boolean _ = wentWell(its, top);
        }
        program.stores().forEach(this::compare);
        trial.inside().judge(trial);
    }

    // ---- ends

    /** Judges a task, and notes those that did not end well, for what is tied to them. */
    private boolean wentWell(Seen its, Level level) {
        boolean well = judge(its, level);
        if (!well) {
            bad.add(its.job.id());
            if (its.job.ties().tag() > 0) {
                badTags.add(List.of(its.job.graph(), its.job.ties().tag()));
            }
        }
        return well;
    }

    /** Returns whether it ended well. */
    private boolean judge(Seen its, Level level) {
        Job job = its.job;
        if (its.refusal != null) {
            boolean mayBe = job.where().isMain()
                    && (job.where().target() != Job.Where.ANYWHERE
                            || job.kind() == Job.Kind.KERNEL
                            || job.kind() == Job.Kind.PLAIN_KERNEL);
            if (!mayBe && !(its.spawned && isTooLate(its))) {
                violation(Violation.Kind.ERROR, its + " was refused: " + its.refusal);
            }
            return true;
        }
        if (job.kind() == Job.Kind.CANCEL
                || (job.kind() == Job.Kind.FETCH && program.setting().listens())) {
            return true; // of a fetch among tasks that bodies submit the place in the order is not known
        }
        if (its.givenUp) {
            return givenUp(its, level);
        }
        if (job.kind() == Job.Kind.ANEW) {
            return renewed(its, level);
        }
        TaskState told = trial.log().end(job);
        boolean byHand =
                its.ended == TaskState.CANCELLED && told == TaskState.FAILED; // by the user, who sees no difference
        if (told != null && told != its.state() && !byHand) {
            violation(Violation.Kind.STATE, its + " is " + its.state() + ", and the listener was told " + told);
        }
        compareStage(its);
        List<Touch> start = job.atStart();
        boolean declared = reads(job, job.touches(), level.poison);
        boolean starting = reads(job, start, level.poison);
        boolean tied = its.after.stream().anyMatch(bad::contains)
                || (job.ties().afterTag() > 0
                        && badTags.contains(List.of(job.graph(), job.ties().afterTag())))
                || (job.isEarly() && lateFails());
        boolean must = (declared && starting) || tied;
        boolean mayCancel = program.mayCancel(job);
        boolean may = must
                || declared
                || starting
                || mayCancel
                || meetsHalfDone(job)
                || reads(job, job.touches(), level.doubtful);
        boolean loses = (faulty && touchesData(job)) || readsUnknownData(job);
        return switch (its.state()) {
            case CANCELLED -> {
                if (job.isRun()) {
                    if (!may && !loses && !failsInside(job) && !addsToPoison(job) && !job.isCancelledRun()) {
                        violation(Violation.Kind.STATE, its + " failed" + its.why());
                    }
                    failedRun(job, must, level);
                    yield false;
                }
                if (!may && !loses && !job.isCancelledRun()) {
                    violation(Violation.Kind.STATE, its + " was cancelled for no reason" + its.why());
                }
                if (job.kind() == Job.Kind.FETCH) {
                    yield true; // others read it as before
                }
                if (job.kind().hasBody() && job.inner().count() == 1 && !triesFailed(its)) {
                    violation(Violation.Kind.STATE, its + " is cancelled, and its body ran");
                }
                if (its.entered.get() > 0) {
                    perform(its);
                    clear(level, job);
                }
                if (its.entered.get() > 0) {
                    spoil(level, kept(job), job);
                } else {
                    notBegun(level, job);
                }
                yield false;
            }
            case FAILED -> {
                boolean well = its.entered.get() == 0 || perform(its);
                if (isCounted(job) && its.entered.get() > job.fate().retries() + 1) {
                    violation(Violation.Kind.STATE, its + " failed, and ran " + its.entered + " times");
                }
                boolean expected = job.fate().fails()
                        || !well
                        || loses
                        || (job.isCompiled() && (failsInside(job) || job.isCancelledRun()));
                if (must) {
                    violation(Violation.Kind.STATE, its + " failed, and was not to run at all" + its.why());
                } else if (!expected && !addsToPoison(job)) {
                    violation(Violation.Kind.STATE, its + " failed" + its.why());
                } else if (!job.fate().fails() && well && !job.isCompiled() && faulty && !namesFault(its)) {
                    violation(Violation.Kind.STATE, its + " failed, and does not say enough" + its.why());
                }
                clear(level, job);
                spoil(level, its.entered.get() > 0 ? kept(job) : job.atStart(), job);
                yield false;
            }
            case DONE -> {
                boolean well = perform(its);
                if (must) {
                    violation(Violation.Kind.STATE, its + " is done, and needs what was not written");
                } else if (job.fate().fails() || !well) {
                    violation(Violation.Kind.STATE, its + " is done, and was to fail");
                }
                int tries = job.fate().failures() + 1;
                if (isCounted(job) && its.entered.get() != tries) {
                    violation(Violation.Kind.STATE, its + " ran " + its.entered + " times, not " + tries);
                }
                compare(its);
                compareFetched(its);
                clear(level, job);
                yield true;
            }
            default -> {
                violation(Violation.Kind.STATE, its + " is not over: " + its.state());
                yield false;
            }
        };
    }

    /** Returns true if another task that had a handle without order did not end well: which was first, time decides. */
    private boolean meetsHalfDone(Job job) {
        return job.touches().stream()
                .filter(touch -> program.stores().get(touch.store()).kind() == Store.Kind.GUARDED)
                .anyMatch(touch -> program.all()
                        .filter(other ->
                                other.id() != job.id() && trial.of(other).state() != TaskState.DONE)
                        .flatMap(other -> other.touches().stream())
                        .anyMatch(theirs -> theirs.store() == touch.store()));
    }

    private boolean lateFails() {
        Job late = program.late();
        return late != null && trial.of(late).state() != TaskState.DONE;
    }

    /** Its submitter waited no more: nothing was freed or seen, and what it was to overwrite counts as lost. */
    private boolean givenUp(Seen its, Level level) {
        Job job = its.job;
        boolean overwrites = job.touches().stream().anyMatch(touch -> touch.how() == How.WRITE);
        if (job.kind() == Job.Kind.VIEW && overwrites) {
            spoil(level, job.touches(), job);
            return false;
        }
        if (job.kind() == Job.Kind.VIEW) { // perhaps it was to be cancelled, which counts for those behind it
            program.expanded(job.touches()).stream()
                    .filter(touch -> touch.how().writes())
                    .forEach(level.doubtful::add);
        }
        return true;
    }

    /** The data was freed, and has its first values. */
    private boolean renewed(Seen its, Level level) {
        if (its.state() != TaskState.DONE) {
            violation(Violation.Kind.STATE, its + " failed" + its.why());
        }
        Store store = program.stores().get(its.job.touches().getFirst().store());
        compare(store, its.values, " when it was freed by " + its);
        cells[store.number()] = World.contents(store, ++made[store.number()]);
        Arrays.fill(unknown[store.number()], false);
        level.poison.removeIf(touch -> touch.store() == store.number());
        level.doubtful.removeIf(touch -> touch.store() == store.number());
        return true;
    }

    /** Bodies go on to submit when the session is closed, or its data is given back. */
    private boolean isTooLate(Seen its) {
        return String.valueOf(its.refusal).contains("of a closed session")
                || (program.setting().frees() && touchesData(its.job));
    }

    /**
     * Returns whether the reason is what goes wrong on a device, or what went wrong before; a prefetch says what its
     * device did, and a kernel that is not to compile in some try may have no other try left behind a fault.
     */
    private static boolean namesFault(Seen its) {
        String why = its.why();
        if (its.job.kind() == Job.Kind.PREFETCH || why.contains("task \"prefetch ")) { // also one inside of it
            return true;
        }
        if (its.job.fate().uncompiled() && its.thrown.get() > 0 && why.contains("planned failure of " + its)) {
            return true;
        }
        return FAULTS.stream().anyMatch(why::contains);
    }

    /** Returns whether each begin of its body is a try of the task. */
    private boolean isCounted(Job job) {
        return job.kind().hasBody()
                || job.kind() == Job.Kind.ASYNC
                || job.kind() == Job.Kind.DRIVER
                || (job.kind() == Job.Kind.KERNEL && program.isCalm()); // else lost ones run again
    }

    /** Returns whether every try that began failed, and another one was left. */
    private static boolean triesFailed(Seen its) {
        int entered = its.entered.get();
        return entered == its.thrown.get() && entered <= its.job.fate().retries();
    }

    /**
     * A run of a recorded graph that started and failed poisons nothing, unless it was a task; of what it was to write
     * nothing is known.
     */
    private void failedRun(Job job, boolean must, Level level) {
        boolean started = job.subs().stream()
                .flatMap(Job::inner)
                .anyMatch(inner -> trial.of(inner).entered.get() > 0);
        // A formula does not say that it ran.
        boolean mayHave = job.subs().stream()
                .flatMap(Job::inner)
                .anyMatch(inner -> inner.kind().isFormula());
        if (!started && !mayHave && must) {
            spoil(level, job.touches(), job);
            return;
        }
        clear(level, job);
        for (Touch touch : program.expanded(job.touches())) {
            if (touch.how().writes()) {
                mark(touch, true);
                boolean isTask = runs(job) > 1; // the first of its runs may be a task, which poisons
                if (!started || isTask || job.kind() == Job.Kind.COMPILED_START) {
                    level.doubtful.add(touch);
                }
            }
        }
    }

    private static boolean failsInside(Job compiled) {
        return compiled.inner().anyMatch(inner -> inner.fate().fails());
    }

    private boolean readsUnknownData(Job job) {
        return job.inner()
                .flatMap(one -> one.touches().stream())
                .anyMatch(touch -> program.stores().get(touch.store()).isData()
                        && touch.how().reads()
                        && isUnknown(touch));
    }

    private boolean isUnknown(Touch touch) {
        Span span = program.span(touch);
        for (int i = 0; i < span.size(); i++) {
            if (unknown[touch.store()][span.cell(i)]) {
                return true;
            }
        }
        return false;
    }

    /** Nothing is known of what {@code jobs} may have done. */
    void forget(Stream<Job> jobs) {
        jobs.forEach(job -> {
            expected.remove((long) job.id());
            program.expanded(job.touches()).stream()
                    .filter(touch -> touch.how().writes())
                    .forEach(touch -> mark(touch, true));
        });
    }

    private void mark(Touch touch, boolean isUnknown) {
        Span span = program.span(touch);
        for (int i = 0; i < span.size(); i++) {
            unknown[touch.store()][span.cell(i)] = isUnknown;
        }
    }

    private boolean touchesData(Job job) {
        return job.inner()
                        .flatMap(one -> one.touches().stream())
                        .anyMatch(touch -> program.stores().get(touch.store()).isData())
                || job.inner().anyMatch(trial.inside()::has);
    }

    /** Of data that some addition failed to write it may be told, whatever the order of the two is, that it is lost. */
    private boolean addsToPoison(Job job) {
        return additions(job).anyMatch(touch -> halfAdded.contains(touch.store()));
    }

    private Set<Integer> halfAdded() {
        Set<Integer> stores = new HashSet<>();
        program.all()
                .map(trial::of)
                .filter(Seen::endedBadly)
                .flatMap(its -> additions(its.job))
                .filter(touch -> program.stores().get(touch.store()).isData())
                .forEach(touch -> stores.add(touch.store()));
        return stores;
    }

    /** What a task may add to: declared so, or demoted to that, early or as it runs. */
    private static Stream<Touch> additions(Job job) {
        return Stream.of(job.touches(), job.atStart(), job.demotions(), job.behind())
                .flatMap(List::stream)
                .filter(touch -> touch.how() == How.ADD);
    }

    private boolean reads(Job job, List<Touch> touches, List<Touch> poison) {
        List<Touch> inTurn = job.isCompiled() ? touches : Touches.readsFirst(touches);
        return poison.stream().anyMatch(each -> reads(inTurn, each));
    }

    /** Returns whether one of the touches reads poison that none before it overwrites, which a graph's task may do. */
    private boolean reads(List<Touch> touches, Touch poison) {
        for (Touch touch : touches) {
            if (touch.how() == How.WRITE && program.covers(touch, poison)) {
                return false;
            }
            if (touch.how().reads() && touch.how().conflicts(poison.how()) && program.meet(touch, poison)) {
                return true;
            }
        }
        return false;
    }

    /** It has spoilt {@code touches}, and perhaps all that it declared: a demotion may have come too late. */
    private void spoil(Level level, List<Touch> touches, Job job) {
        if (job.isAdjusted() || !job.demotions().isEmpty() || !job.behind().isEmpty()) {
            job.touches().stream().filter(touch -> touch.how().writes()).forEach(level.doubtful::add);
        }
        level.poison.addAll(written(touches));
    }

    /**
     * Returns what a task that began, and did not end well, surely had in the end: behind the failure of a sub-task it
     * gives nothing up, and before that nothing that the sub-task needs.
     */
    private List<Touch> kept(Job job) {
        List<Touch> left = job.atSplit();
        for (Touch to : job.behind()) {
            List<Touch> less = Job.demoted(left, List.of(to));
            boolean stays = job.subs().stream()
                    .filter(sub -> trial.of(sub).endedBadly())
                    .flatMap(sub -> kept(sub).stream())
                    .anyMatch(touch -> touch.how().writes() && !isCovered(touch, to, less));
            left = stays ? left : less;
        }
        return left;
    }

    /** Returns false if {@code touch} surely needs more than is left behind {@code to}. */
    private boolean isCovered(Touch touch, Touch to, List<Touch> less) {
        boolean adds = to.how() == How.ADD || to.how() == How.MUL;
        boolean covered = to.how().writes() && program.covers(to, touch) && (!adds || to.how() == touch.how());
        return covered
                || touch.store() != to.store()
                || less.stream()
                        .anyMatch(other ->
                                other.store() != to.store() && program.isRelated(other.store(), touch.store()));
    }

    /** It did not begin, and has spoilt nothing but what it was to overwrite: no task may read the rest, but users. */
    private void notBegun(Level level, Job job) {
        int before = level.poison.size();
        spoil(level, job.atStart(), job);
        List<Touch> its = level.poison.subList(before, level.poison.size());
        boolean ran = job.isCompiled() || job.kind().isFormula(); // perhaps: these do not say
        if (!faulty && !ran && its.stream().allMatch(touch -> touch.how() == How.UPDATE)) {
            level.asBefore.addAll(its);
        }
    }

    /** Parts by themselves: what overwrites the whole by its area leaves them as they are. */
    private List<Touch> written(List<Touch> touches) {
        return program.expanded(touches).stream()
                .filter(touch -> touch.how().writes())
                .toList();
    }

    /** Takes out what a task has overwritten: that may be read. */
    private void clear(Level level, Job job) {
        for (Touch touch : job.atStart()) {
            if (touch.how() == How.WRITE) {
                for (Touch each : List.copyOf(level.poison)) {
                    if (program.covers(touch, each)) {
                        level.poison.remove(each);
                        if (program.coversInDoubt(touch, each)) {
                            level.doubtful.add(each);
                        }
                    }
                }
            }
        }
    }

    // ---- values

    /** Does what the task did; returns whether all inside it ended well. */
    private boolean perform(Seen its) {
        Job job = its.job;
        if (job.isCompiled()) {
            return compiled.run(job);
        }
        boolean brings = job.kind() == Job.Kind.PREFETCH || job.kind() == Job.Kind.FETCH;
        boolean runs = !brings && !(job.fate().limit() && job.kind() == Job.Kind.BODY);
        if (!runs) {
            return true;
        }
        List<Touch> left = job.atStart();
        boolean well = true;
        if (job.inside().isEmpty()) {
            work(job, left);
        } else if (its.adjusted) {
            well = inside(job.inside());
        }
        int step = 0;
        for (Touch to : job.demotions()) {
            step++;
            left = Job.demoted(left, List.of(to));
            if (job.course().late()) {
                work(late(job, step), left);
            }
        }
        if (!job.subs().isEmpty()) {
            well = inside(job.subs());
            boolean rested = trial.bodies().read(~job.id()) != null;
            if (job.course().afterwards() && (rested || its.state() == TaskState.DONE)) {
                if (!rested || !well || job.fate().fails()) {
                    violation(
                            Violation.Kind.STATE, its + (rested ? " did" : " did not do") + " what was left behind it");
                }
                work(~job.id(), job.afterwards());
                well &= inside(job.more());
            }
        }
        return well;
    }

    private boolean inside(List<Job> jobs) {
        Level level = new Level();
        boolean well = true;
        for (Job job : jobs) {
            well &= wentWell(trial.of(job), level);
        }
        return well;
    }

    /** Does a task's first work; returns a hash of its reads, null where they are not known. */
    @Nullable
    Long work(Job job, List<Touch> touches) {
        if (!job.kind().isFormula()) {
            return work(job.id(), touches);
        }
        Store set = program.stores().get(touches.getLast().store());
        if (job.kind() == Job.Kind.GHOSTS) {
            new Ghosts(set.shape()).fill(cells[set.number()], unknown[set.number()], Walls.of(job, set));
            return null;
        }
        List<Integer> operands = formula(job);
        if (job.kind() == Job.Kind.STENCIL) {
            stencil(job, set, operands.get(0), operands.get(1));
            return null;
        }
        boolean blind = touches.stream().anyMatch(touch -> touch.how().looks() && isUnknown(touch));
        long[] one = cells[operands.get(0)];
        long[] other = cells[operands.get(1)];
        long[] target = cells[operands.getLast()];
        for (int i = 0; i < target.length; i++) {
            target[i] = Formulas.value(one[i], other[i], Mix.value(job.id()));
        }
        mark(touches.getLast(), blind);
        return null;
    }

    /** What overwrites a store without its ghosts leaves anything there. */
    private void stencil(Job job, Store target, int one, int other) {
        Ghosts ghosts = new Ghosts(target.shape());
        boolean[] left = unknown[target.number()].clone();
        if (job.touches().getLast().how() == How.WRITE) {
            Arrays.fill(left, true);
        }
        boolean[] behind = ghosts.unknown(left, unknown[one], unknown[other]);
        ghosts.stencil(cells[target.number()], cells[one], cells[other], Mix.value(job.id()));
        unknown[target.number()] = behind;
    }

    /** Returns the numbers of the stores of a formula: its operands, and the target. */
    static List<Integer> formula(Job job) {
        List<Touch> touches = job.touches();
        int target = touches.getLast().store();
        int one = touches.getFirst().store();
        int other = touches.getLast().how() == How.UPDATE
                ? target
                : touches.get(touches.size() - 2).store();
        return touches.getLast().how() == How.UPDATE ? List.of(other, one, target) : List.of(one, other, target);
    }

    /** Does a task's work; returns a hash of its reads, null where they are not known. */
    @Nullable
    Long work(long number, List<Touch> touches) {
        List<Touch> all = program.expanded(touches);
        boolean blind = all.stream().anyMatch(touch -> touch.how().looks() && isUnknown(touch));
        List<Operand> operands = new ArrayList<>();
        for (Touch touch : all) {
            Store store = program.stores().get(touch.store());
            operands.add(new Operand.Plain(touch.how(), store.type(), cells[touch.store()], program.span(touch)));
            if (touch.how() == How.UPDATE || touch.how() == How.WRITE) {
                mark(touch, blind);
            }
        }
        long read = Mix.perform(number, operands);
        if (blind) {
            expected.remove(number);
            return null;
        }
        expected.put(number, read);
        return read;
    }

    private void compare(Seen its) {
        Job job = its.job;
        List<Long> works = new ArrayList<>(List.of((long) job.id(), (long) ~job.id()));
        for (int step = 1; step <= job.demotions().size(); step++) {
            works.add(late(job, step));
        }
        if (job.isCompiled()) {
            job.subs().stream().flatMap(Job::inner).forEach(inner -> works.add((long) inner.id()));
            compiled.compare(its);
        }
        for (long number : works) {
            Long should = expected.get(number);
            Long did = trial.bodies().read(number);
            if (should != null && did != null && !should.equals(did)) {
                violation(Violation.Kind.VALUE, its + " read what it must not (work " + Long.toHexString(number) + ")");
            }
        }
    }

    /** Waits for its stage, which other threads end. */
    private void compareStage(Seen its) {
        CompletionStage<Seen.Ended> stage = its.stage;
        if (stage == null || !its.isOver()) {
            return;
        }
        Seen.Ended ended = stage.toCompletableFuture().join();
        boolean valued = its.job.kind() == Job.Kind.CALL
                || its.job.kind() == Job.Kind.LOOK
                || its.job.kind() == Job.Kind.ASYNC
                || its.job.kind() == Job.Kind.DRIVER;
        boolean well = its.state() == TaskState.DONE;
        Object value = well && valued ? (Object) its.job.id() : null;
        boolean isExpected = (well && Pipelines.has(its.job))
                ? ended.value() instanceof MacroTask.Report report && report.done() == 1
                : Objects.equals(value, ended.value());
        if (well != (ended.error() == null) || !isExpected) {
            violation(Violation.Kind.STATE, its + " is " + its.state() + ", and its stage " + ended);
        }
    }

    private void compareFetched(Seen its) {
        long[] found = its.fetched;
        if (found == null) {
            return;
        }
        Touch touch = its.job.touches().getFirst();
        Span span = program.span(touch);
        for (int i = 0; i < found.length; i++) {
            int cell = span.cell(i);
            if (!unknown[touch.store()][cell] && cells[touch.store()][cell] != found[i]) {
                violation(
                        Violation.Kind.VALUE,
                        its + " brought " + found[i] + " to s" + touch.store() + "[" + cell + "], not "
                                + cells[touch.store()][cell]);
                return;
            }
        }
    }

    private void compare(Store store) {
        trial.world().requireGaps(store, trial.bodies());
        if (!store.isData() || trial.world().isAtHome(store)) {
            compare(store, trial.world().found(store), "");
            compare(store, trial.world().whenFreed(store), " when it was freed");
        }
    }

    private void compare(Store store, long @Nullable [] found, String when) {
        if (found == null || found.length == 0) {
            return;
        }
        boolean[] poisoned = poisoned(store);
        long[] should = cells[store.number()];
        for (int i = 0; i < should.length; i++) {
            if (!poisoned[i] && !unknown[store.number()][i] && should[i] != found[i]) {
                violation(
                        Violation.Kind.VALUE,
                        "s" + store.number() + "[" + i + "] is " + found[i] + when + ", not " + should[i]);
                return;
            }
        }
    }

    private boolean[] poisoned(Store store) {
        boolean[] poisoned = new boolean[store.cells()];
        List<Touch> spoilt =
                top.poison.stream().filter(each -> !top.asBefore.contains(each)).toList();
        for (Touch each : program.expanded(spoilt)) {
            if (each.store() == store.number()) {
                Span span = program.span(each);
                for (int i = 0; i < span.size(); i++) {
                    poisoned[span.cell(i)] = true;
                }
            }
        }
        return poisoned;
    }
}

package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import dev.jacquard.memory.residency.Staging;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Declares one task: its accesses first, its body last, which submits the task. Each builder submits one task. Confined
 * to the thread that began it.
 */
public final class TaskBuilder {
    private final Submission submission;
    private final Scope scope;
    private final String name;
    private final AccessList.Builder declared;
    /** True if an access is more than a built-in mode, so that the submission has to ask it first. */
    private boolean special;

    /** True if an access so far may overwrite something. */
    private boolean overwrites;
    /** True if the accesses belong to several tasks, one after the other. */
    private boolean inTurn;

    private boolean submitted;
    /** The group that the task belongs to, or null. */
    private final @Nullable TaskGroup group;
    /**
     * The options; null while there are none. Apart, so that the builder of a plain task costs little where the
     * compiler cannot leave it out.
     */
    private @Nullable TaskDraft draft;

    /** Begins a task of the session's own, for which checking mode asks no user. For the engine. */
    public TaskBuilder(TaskGraph graph, String name) {
        this(Objects.requireNonNull(graph, "graph").scope(), name, null, false);
    }

    TaskBuilder(Submission submission, String name) {
        this(submission, name, null, true);
    }

    /**
     * Begins a task.
     *
     * @param group the group of the task; null for none
     * @param asked true if checking mode is to ask for it when it is not submitted
     */
    TaskBuilder(Submission submission, String name, @Nullable TaskGroup group, boolean asked) {
        this.submission = submission;
        this.scope = submission.scope();
        this.name = Objects.requireNonNull(name, "task: a task needs a name, for messages and traces");
        this.group = group;
        this.declared = new AccessList.Builder(scope.graph.accessHint());
        if (asked && scope.watched) {
            scope.domain.unfinished.begun(this);
        }
    }

    // ---- accesses

    /** Declares that the task reads all of {@code resource}. */
    public TaskBuilder reads(Resource resource) {
        return declare(resource, Mode.READ);
    }

    /** Declares that the task reads and writes all of {@code resource}. */
    public TaskBuilder updates(Resource resource) {
        return declare(resource, Mode.UPDATE);
    }

    /**
     * Declares that the task writes all of {@code resource} without reading it: the former value, even if poisoned,
     * does not matter.
     */
    public TaskBuilder writes(Resource resource) {
        return declare(resource, Mode.WRITE);
    }

    /** Declares that the task reads a part of some data. */
    public TaskBuilder reads(View part) {
        given(part, "part");
        return accesses(part.data(), Access.read(Parts.area(part.box())));
    }

    /** Declares that the task reads and writes a part of some data. */
    public TaskBuilder updates(View part) {
        given(part, "part");
        return accesses(part.data(), Access.update(Parts.area(part.box())));
    }

    /** Declares that the task writes a part of some data without reading it. */
    public TaskBuilder writes(View part) {
        given(part, "part");
        return accesses(part.data(), Access.write(Parts.area(part.box())));
    }

    /**
     * Declares that the task adds to {@code resource}, concurrently with other tasks that add to it: its body adds
     * atomically, on the host with {@code Memory.addDouble} and the like. The order of the additions is not known, and
     * so the last bits of floating-point sums are not either.
     */
    public TaskBuilder adds(Resource resource) {
        return declare(resource, Mode.ADD);
    }

    /**
     * Declares that the task adds to a part of some data, like {@link #adds(Resource)}. Tasks that add to different
     * parts that overlap take turns.
     */
    public TaskBuilder adds(View part) {
        given(part, "part");
        return accesses(part.data(), Access.add(Parts.area(part.box())));
    }

    /** Declares that the task accesses {@code resource} in these ways. */
    public TaskBuilder accesses(Resource resource, Access... ways) {
        given(resource, "resource");
        givenAll(ways, "ways");
        for (Access way : ways) {
            if (!(way instanceof Mode)) {
                special = true;
            }
            declare(resource, way);
        }
        return this;
    }

    /**
     * Declares the accesses of several tasks that this one stands for, in their order: one of them may read data that
     * an earlier one overwrites. For the engine.
     */
    public TaskBuilder inTurn(AccessList all) {
        given(all, "all");
        inTurn = true;
        all.each(this::accesses);
        return this;
    }

    // ---- edges that accesses do not express

    /**
     * Declares that the task starts after the {@code earlier} tasks, and not at all when one of them does not end well.
     *
     * @throws IllegalArgumentException when one of them is not of this session, or not on the same level: a sub-task
     *     comes after sub-tasks of the same task only, and a task outside never comes after a sub-task
     */
    public TaskBuilder after(Task<?>... earlier) {
        givenAll(earlier, "earlier");
        for (Task<?> one : earlier) {
            TaskNode task = switch (one) {
                case TaskNode its -> its;
                case ValueResult<?> value -> value.task();
                default ->
                    throw refused(new IllegalArgumentException("task \"" + name + "\" cannot come after " + one.name()
                            + ", which is no task of a graph: give what run(...), call(...) or start(...) returned"));
            };
            if (!submission.mayComeAfter(task)) {
                throw refused(new IllegalArgumentException("task \"" + name + "\" cannot come after \"" + one.name()
                        + "\", which is in another session or another task: an explicit edge joins"
                        + " two tasks of one session, both outside of tasks, or both inside of the same one"));
            }
            TaskDraft its = options();
            if (its.after.isEmpty()) {
                its.after = new ArrayList<>();
            }
            its.after.add(task);
        }
        return this;
    }

    /** Gives the task a tag. Other tasks can come after all tasks with a tag. */
    public TaskBuilder tag(String tag) {
        given(tag, "tag");
        special = true;
        return declare(scope.graph.tags().of(tag), TagAccess.MEMBER);
    }

    /**
     * Declares that the task starts after all tasks with {@code tag} that were submitted before, and not at all when
     * one of them fails. When there are none, the task starts at once, and the {@linkplain TaskGraph#report report}
     * names the tag.
     */
    public TaskBuilder afterTag(String tag) {
        return afterTag(tag, Task.TagMembers.SO_FAR);
    }

    /**
     * Declares that the task starts after the {@code members} of {@code tag}, and not at all when one of them fails.
     */
    public TaskBuilder afterTag(String tag, Task.TagMembers members) {
        given(tag, "tag");
        given(members, "members");
        special = true;
        if (members == Task.TagMembers.MAY_STILL_COME) {
            TaskDraft its = options();
            if (its.awaitedTags.isEmpty()) {
                its.awaitedTags = new ArrayList<>();
            }
            its.awaitedTags.add(tag);
        }
        return declare(scope.graph.tags().of(tag), TagAccess.AFTER);
    }

    // ---- flags

    /**
     * Sets the priority of the task, for policies that go by priorities. A higher priority comes first; 0 is the
     * default.
     */
    public TaskBuilder priority(int priority) {
        options().priority = priority;
        return this;
    }

    /**
     * Sets flags of the task.
     *
     * @throws IllegalStateException when the task is for the main thread, and the session has none. The submission of a
     *     task for the main thread and for a target other than the host throws it too
     */
    public TaskBuilder flag(Flag... flags) {
        givenAll(flags, "flags");
        TaskDraft its = options();
        Set<Flag> all = new LinkedHashSet<>(its.flags);
        all.addAll(List.of(flags));
        its.flags = Set.copyOf(all);
        if (all.contains(Flag.MAIN_THREAD)) {
            if (!scope.domain.dispatcher.hasMain()) {
                throw refused(new IllegalStateException("task \"" + name
                        + "\" is for the main thread, and the session has none:"
                        + " name one with Session.builder().mainThread(...)"));
            }
            its.mainThread = true;
        }
        return this;
    }

    /**
     * Lets only workers of {@code target} run the task.
     *
     * @throws IllegalStateException when the session has no such target
     */
    public TaskBuilder on(ExecutionTarget target) {
        given(target, "target");
        Place found = scope.domain.dispatcher.place(target);
        options().target = target;
        if (found == null) {
            if (DevicePlaces.any(scope.domain.dispatcher, target)) {
                return this; // the device is chosen with the kernel
            }
            throw refused(new IllegalStateException("task \"" + name + "\" is for target " + target
                    + ", which this session has no workers for: choose one of "
                    + scope.domain.dispatcher.places() + ", or open the session with devices"));
        }
        options().place = found;
        return this;
    }

    /**
     * Sets the worker that is to run the task, counted from 0; a number that is too large is taken modulo the number of
     * workers. The policy {@code pinned} keeps to that worker for each part and try of the task; loops inside of the
     * task may use other workers. For policies of your own the number is a hint; the other built-in policies ignore it.
     *
     * @throws IllegalArgumentException when {@code worker} is negative
     */
    public TaskBuilder affinity(int worker) {
        if (worker < 0) {
            throw refused(new IllegalArgumentException("task \"" + name + "\" cannot prefer worker " + worker
                    + ": workers are numbered from 0 on; leave affinity out for any worker"));
        }
        options().affinity = worker;
        return this;
    }

    /**
     * Allows threads outside to refine or demote the task: {@link Task#tryRefine}, {@link Task#tryDemote}. Costs the
     * task one more lock.
     */
    public TaskBuilder adjustable() {
        options().adjustable = true;
        return this;
    }

    /**
     * Refuses to be a run of {@code what} in another session than its own. For compiled graphs.
     *
     * @throws IllegalArgumentException when the task belongs to another session
     */
    public TaskBuilder requireOwner(Object session, Object what) {
        given(session, "session");
        given(what, "what");
        if (scope.domain.owner != session) {
            throw refused(new IllegalArgumentException("task \"" + name + "\" cannot be " + what
                    + ", which belongs to another session: use both in one session"));
        }
        return this;
    }

    /**
     * Leaves the task's data where it is, for a task that only starts others, which bring their data themselves. Its
     * body has no {@link TaskContext#memory memory}.
     */
    public TaskBuilder unstaged() {
        options().unstaged = true;
        return this;
    }

    /**
     * Submits the task even when data that it accesses was freed since it was declared. The task does nothing to that
     * data. For the engine.
     */
    public TaskBuilder evenIfFreed() {
        options().evenIfFreed = true;
        return this;
    }

    // ---- failure

    /**
     * Lets a failed body be tried again, {@code most} times at most, with everything that the task updates as it was
     * before the first try. There is no further try after the task has refined itself or given up an access, nor when
     * the work left to do {@link TaskContext#afterwards} fails.
     *
     * <p>The submission throws {@link IllegalArgumentException} when something that the task updates cannot be
     * restored: a part of a handle (parts of data can), atomic updates, or an object that is not an array of primitives
     * and was wrapped without a copier.
     */
    public TaskBuilder retries(int most) {
        if (most < 0) {
            throw refused(new IllegalArgumentException(
                    "task \"" + name + "\" cannot be retried " + most + " times: give 0 or more"));
        }
        options().retries = most;
        return this;
    }

    /**
     * Limits the time of each try. The body is interrupted after that time, and the task fails, even if its body then
     * returns.
     */
    public TaskBuilder timeLimit(Duration limit) {
        given(limit, "limit");
        if (!limit.isPositive()) {
            throw refused(new IllegalArgumentException(
                    "the time limit of task \"" + name + "\" must be more than 0, not " + limit));
        }
        try {
            options().timeLimitNanos = Durations.nanos(limit, "the time limit of task \"" + name + '"');
        } catch (IllegalArgumentException e) {
            throw refused(e);
        }
        return this;
    }

    /** Lets the body be interrupted when the graph is cancelled. */
    public TaskBuilder interruptible() {
        options().interruptible = true;
        return this;
    }

    /**
     * Ends the task at once when the time limit passes or the graph is cancelled: its stage, given to {@link #start},
     * is cancelled, and other tasks may access the resources of the task. For stages without underlying work, or with
     * work that touches nothing any more once they are cancelled.
     */
    public TaskBuilder abandonable() {
        options().abandons = true;
        return this;
    }

    // ---- submission

    /**
     * Submits the task.
     *
     * @throws IllegalArgumentException when an access does not fit the resource, or, inside another task, exceeds the
     *     accesses of the outer task
     * @throws IllegalStateException when the session is closed, or this builder has submitted already
     */
    public Task<@Nullable Void> run(TaskBody body) {
        given(body, "body");
        if (draft != null || group != null || submitted || scope.watched) { // else it has accesses and nothing else
            return submit(create(body));
        }
        // Nothing here passes this builder on, so the compiler need not allocate it.
        submitted = true;
        scope.graph.hasAccesses(declared.size());
        TaskNode task = new TaskNode(scope, name, declared.build(), body, null);
        submission.submit(task, special);
        return task;
    }

    /** Submits a task with a result. Throws like {@link #run}. */
    public <T extends @Nullable Object> Task<T> call(TaskFunction<? extends T> function) {
        given(function, "function");
        ValueResult<T> result = new ValueResult<>(function);
        submit(result.ownedBy(create(result)));
        return result;
    }

    /**
     * Submits the task with the implementation for the target given by {@link #on}; when none was given, with the
     * kernel's first implementation for which this session has workers or a device. Throws like {@link #run}.
     *
     * @param numbers the kernel's first arguments: {@link Integer}, {@link Long}, {@link Float} or {@link Double}
     * @throws IllegalStateException when there is no such implementation
     * @throws IllegalArgumentException when the data of the task does not fit where it would run, or the arguments do
     *     not fit the kernel
     */
    public Task<@Nullable Void> run(Kernel kernel, Number... numbers) {
        given(kernel, "kernel");
        givenAll(numbers, "numbers");
        scope.domain.unfinished.ended(this);
        TaskDraft its = options();
        its.kernel = kernel.name();
        boolean mayLeave = its.target == null && group != null && group.mayLeave();
        if (its.target == null && !its.mainThread && group != null && group.device() != null) {
            on(group.device());
        }
        requireOnePlace(its);
        ExecutionTarget wanted = its.mainThread ? ExecutionTarget.HOST : its.target;
        KernelTask known = soFar();
        KernelCall call = new KernelCall(kernel, name, known.accesses(), numbers);
        TargetSelection route = new TargetSelection(
                scope.domain,
                known.with(call.accesses()),
                call,
                submission.recordedWork(),
                wanted,
                its.mainThread,
                mayLeave && !its.mainThread);
        route.begin();
        its.target = ExecutionTarget.named(route.where().name());
        its.place = route.where();
        return switch (route.work()) {
            case KernelCall.OnHost host
            when route.isWeighed() && submission.runs() && !its.unstaged -> runOnDevice(route, its);
            case KernelCall.OnHost host -> {
                TaskNode task = create(host.body()::run, call.accesses());
                bring(task, route, null);
                yield submit(task);
            }
            case KernelCall.OnDevice device -> runOnDevice(route, its);
        };
    }

    private void bring(TaskNode task, TargetSelection route, @Nullable LaunchAhead ahead) {
        StagedData data = task.ownTaskRun().data;
        if (data != null) {
            data.kernel(route.recomputation(), ahead);
        }
    }

    /** Submits a task for a device, or one that may go to a device when it is ready. */
    private Task<@Nullable Void> runOnDevice(TargetSelection route, TaskDraft its) {
        if (its.unstaged) {
            throw refused(new IllegalStateException("task \"" + name + "\" runs kernel \"" + its.kernel + "\" on "
                    + route.where() + ", which needs the task's data there: leave out unstaged()"));
        }
        its.onDevice = true;
        its.asynchronous = true;
        ValueResult<@Nullable Void> result = ValueResult.of(route::start);
        TaskNode task = result.ownedBy(create(result, route.accesses()));
        task.ownTaskRun().tries.route(route);
        bring(task, route, new LaunchAhead(route));
        submit(task);
        return result;
    }

    /** Submits the task that frees {@code data}; see {@link Tasks#release}. */
    Task<@Nullable Void> release(Data data) {
        if (data.home() != null) {
            throw refused(new IllegalArgumentException("data \"" + data.name()
                    + "\" lies in an array of the user, which cannot be released:"
                    + " free() gives back its copies elsewhere"));
        }
        Staging staging = scope.domain.staging();
        return writes(data).unstaged().run(context -> {
            if (!data.isKept()) {
                staging.release(data);
            }
        });
    }

    /**
     * Submits an asynchronous task, which holds a worker only to begin, and is over when its stage completes. A wait
     * node is any task that comes {@link #after} this task or reads its output. Throws like {@link #run}.
     *
     * <p>When the time limit passes or the graph is cancelled, a stage of a class with its own {@code cancel} is
     * cancelled. The {@code cancel} of a plain {@link CompletableFuture} stops nothing, so such a stage is left to
     * complete by itself. See {@link #abandonable}.
     */
    public <T extends @Nullable Object> Task<T> start(AsyncFunction<? extends T> function) {
        given(function, "function");
        ValueResult<T> result = ValueResult.of(function);
        options().asynchronous = true;
        submit(result.ownedBy(create(result)));
        return result;
    }

    /**
     * Submits an asynchronous task. Its function is run by {@code driver}, which may be any executor:
     * {@code session.executor()::background} with a platform thread for each function that runs,
     * {@code session.executor()::virtualThread} for thousands that wait, a pool, a device's queue. The thread of the
     * function is interrupted when the time limit passes or the graph is cancelled. The task is over when the function
     * has ended, however long that takes: until then nothing that conflicts with it runs. Throws like {@link #run}.
     *
     * <p>The function may wait for other tasks. A wait that cannot end before the function's own task is over is
     * refused: to join that task or a successor, to await a graph with such a task, and to fetch or open a resource
     * that the task updates.
     */
    public <T extends @Nullable Object> Task<T> startOn(Executor driver, TaskFunction<? extends T> function) {
        given(driver, "driver");
        given(function, "function");
        options().interruptible = true; // the body is the function where the driver runs that within the call
        return start(context -> {
            DrivenFunction<T> driven = new DrivenFunction<>(context, function);
            driven.startOn(driver);
            return driven;
        });
    }

    /**
     * Submits a task that does not end with its body.
     *
     * @param whenOver the link to notify when the task is over
     * @param made accepts the task before it is submitted
     */
    void submitDetached(TaskBody body, Link whenOver, Consumer<TaskNode> made) {
        options().detached = true;
        TaskNode task = create(body);
        task.tell(whenOver);
        made.accept(task);
        submit(task);
    }

    private TaskNode submit(TaskNode task) {
        submission.submit(task, special);
        if (group != null) {
            try {
                group.joined(task);
            } catch (Error e) { // the group might wait for ever
                scope.domain.broken.by = e;
                scope.domain.broken.endRunOf(task);
                throw e;
            }
        }
        return task;
    }

    /**
     * Opens a view: submits a task with the code up to the close of the view as its body, and waits until the body may
     * begin. So user code locks resources of tasks. The thread that opened the session runs tasks during the wait.
     *
     * <p>For code outside of tasks. A thread that holds a view must not wait for tasks that wait for the view. Throws
     * like {@link #run}.
     *
     * @throws IllegalArgumentException if there are to be {@link #retries}
     * @throws IllegalStateException from inside a task, which would hold its worker, or a listener; when the calling
     *     thread has a view that this one would wait for, or runs a function ({@link #startOn}) of a task that it would
     *     wait for
     * @throws TaskFailedException when data that the view is to read is poisoned, or cannot be brought to the host
     * @throws java.util.concurrent.CancellationException when the graph is cancelled
     * @throws WaitInterruptedException when the waiting thread is interrupted; the view is given up
     */
    public UserView open() {
        scope.domain.unfinished.ended(this);
        if (scope.domain.dispatcher.isInsideNode()) {
            throw new IllegalStateException("user view \"" + name
                    + "\" cannot be opened inside a task, since it would block a worker:"
                    + " declare the access on the task");
        }
        KernelTask known = soFar();
        AccessList wanted = known.accesses();
        String what = "user view \"" + name + '"';
        scope.domain.requireOutsideListeners(what);
        if (draftOrNone().retries > 0) {
            throw new IllegalArgumentException(what + " cannot be retried: its body is the code that opens it");
        }
        scope.domain.views().requireNoneInTheWay(what, scope.parent(), wanted);
        DrivenFunction.requireNoneInTheWay(what, scope.parent(), wanted);
        List<View> parts = Parts.views(wanted);
        String opener = CallSite.now();
        options().site = opener;
        options().asynchronous = true;
        CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
        options().givenUp = end::isDone;
        AtomicReference<@Nullable UserView> opened = new AtomicReference<>();
        Dispatcher dispatcher = scope.domain.dispatcher;
        ValueResult<@Nullable Void> result = ValueResult.of(context -> {
            Objects.requireNonNull(opened.get()).begins(context);
            dispatcher.signal();
            return end; // which no cancel ends: a cancelled graph cannot take away data from user code
        });
        TaskNode task = create(result);
        UserView view = new UserView(result.ownedBy(task), parts, opener, end);
        opened.set(view);
        scope.domain.views().submit(() -> submit(task));
        return scope.domain.views().await(view);
    }

    /** Submits a task that only has its data brought to the memory of {@code where}. */
    Task<@Nullable Void> bring(ExecutionTarget where) {
        Dispatcher dispatcher = scope.domain.dispatcher;
        Place device = dispatcher.place(where) == null && DevicePlaces.any(dispatcher, where)
                ? DevicePlaces.ofKind(scope.domain, soFar(), where)
                : null;
        options().brings = true;
        return on(device == null ? where : ExecutionTarget.named(device.name())).run(context -> {});
    }

    /** Returns the task as far as it is known, for the choice of the place where it runs. */
    private KernelTask soFar() {
        TaskDraft its = draftOrNone();
        return new KernelTask(name, its.kernel, its.priority, its.flags, its.affinity, declared.build());
    }

    private void requireOnePlace(TaskDraft its) {
        if (its.mainThread && its.target != null && !its.target.equals(ExecutionTarget.HOST)) {
            throw new IllegalStateException("task \"" + name + "\" is for the main thread and for target "
                    + its.target
                    + ": the main thread runs tasks for the host alone; leave out flag(Flag.MAIN_THREAD) or on("
                    + its.target + ")");
        }
    }

    private TaskNode create(TaskBody body) {
        return create(body, null);
    }

    /** Creates the task, with its accesses in the order of {@code bound}, or as they were declared. */
    private TaskNode create(TaskBody body, @Nullable AccessList bound) {
        if (scope.watched) {
            scope.domain.unfinished.ended(this);
        }
        if (submitted) {
            throw new IllegalStateException("task \"" + name
                    + "\" was submitted already: a builder submits one task, take a new one from the graph");
        }
        submitted = true;
        if (scope.domain.checking() != null && draftOrNone().site == null) {
            options().site = CallSite.now();
        }
        TaskDraft its = draftOrNone();
        requireOnePlace(its);
        if (its.mainThread) {
            its.place = Place.MAIN;
        }
        if (its.target != null && scope.domain.dispatcher.place(its.target) == null) {
            throw new IllegalStateException("task \"" + name + "\" is for " + its.target
                    + ", whose devices run kernels: submit it with run(kernel)");
        }
        scope.graph.hasAccesses(declared.size());
        AccessList own = bound == null ? declared.build() : bound;
        if (its.isStaged()) {
            Accesses.requireWritable(name, own);
            scope.domain.staging().requireFits(name, own, its.place);
        }
        if (its.retries > 0) {
            Retry.requireRestorable(name, own);
        }
        // The body of a detached task is the engine's own, and the task may be over before it returns.
        TaskBody run = its.detached ? body : scope.domain.checked(body);
        boolean hasOptions = draft != null || group != null || scope.watched;
        TaskNode task = new TaskNode(scope, name, own, run, hasOptions ? new TaskOptions(its) : null);
        if (group != null || !its.after.isEmpty()) {
            task.ownTaskRun().group = group;
            task.ownTaskRun().after = its.after;
        }
        draft = null; // this builder, if it is kept, keeps no task alive
        return task;
    }

    /** Returns the options, to be changed. */
    private TaskDraft options() {
        TaskDraft its = draft;
        if (its == null) {
            its = new TaskDraft();
            draft = its;
        }
        return its;
    }

    private TaskDraft draftOrNone() {
        return draft == null ? TaskDraft.NONE : draft;
    }

    /** Checks an access to a resource that is not plain, and sets the options that the task needs for it. */
    private void takeCareOf(Resource resource, Access access) {
        try {
            requireFit(resource, access);
        } catch (RuntimeException e) { // an access of the user's may throw
            throw refused(e);
        }
        resource.declared();
        Origin origin = Origin.of(resource);
        if (origin != null && origin.isPast()) {
            resource.origin(null);
        } else {
            special |= origin != null;
        }
        if (resource.isUnordered()) {
            options().unordered = true;
        } else if (resource instanceof Data) {
            options().touchesData = true;
        }
    }

    private void requireFit(Resource resource, Access access) {
        if (resource instanceof Data data && !resource.isUnordered()) {
            Parts.requireWithin(name, data, access);
            Accesses.requireThere(name, data, scope.parent());
        }
    }

    private TaskBuilder declare(Resource resource, Access way) {
        given(resource, "resource");
        if (!scope.graph.owns(resource)) {
            throw refused(scope.graph.foreign(resource, name));
        }
        Access access = way;
        if (!resource.isPlain()) {
            takeCareOf(resource, way);
            access = Parts.meant(resource, way);
        }
        if (overwrites && !inTurn) {
            try {
                if (declared.isOverwritten(resource, access)) {
                    options().readsFirst = true;
                }
            } catch (RuntimeException e) { // an access of the user's may throw
                throw refused(e);
            }
        }
        overwrites |= access == Mode.WRITE || !(access instanceof Mode);
        declared.add(resource, access);
        return this;
    }

    /** Throws if the value is null. */
    private void given(@Nullable Object value, String what) {
        if (value == null) {
            throw absent(what);
        }
    }

    private void givenAll(@Nullable Object @Nullable [] values, String what) {
        if (values == null) {
            throw absent(what);
        }
        for (Object one : values) {
            given(one, what);
        }
    }

    private NullPointerException absent(String what) {
        return refused(new NullPointerException("task \"" + name + "\" was given null as " + what));
    }

    /**
     * Returns {@code why}, for the caller to throw, and ends this builder: the exception tells the caller that the task
     * is never submitted.
     */
    private <E extends RuntimeException> E refused(E why) {
        scope.domain.unfinished.ended(this);
        return why;
    }

    /** Ends the declaration: the task is not submitted. Checking mode does not ask for it. */
    public void withdraw() {
        submitted = true;
        scope.domain.unfinished.ended(this);
    }

    /** Returns the name of the task. */
    public String name() {
        return name;
    }

    /** Returns a text that names the task. */
    @Override
    public String toString() {
        return "task \"" + name + '"';
    }
}

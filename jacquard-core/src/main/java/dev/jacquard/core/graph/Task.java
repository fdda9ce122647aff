package dev.jacquard.core.graph;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.access.Mode;
import dev.jacquard.core.data.Handle;
import dev.jacquard.core.data.Resource;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task of a graph: a node that waits for earlier tasks, runs a body, and lets later ones go.
 *
 * <p>The protocol, for submitters that take turns under their scope's lock, and any number of workers:
 *
 * <pre>
 *  submitter                                      worker that ends an earlier task E
 *    waiting = BIAS                                 E.links.getAndSet(CLOSED)
 *    per conflict: CAS a link onto E.links          per link: later.waiting -= 1
 *    waiting += edges - BIAS                        who brings it to 0 makes the task ready
 *    who brings it to 0 makes the task ready
 * </pre>
 *
 * A link is either in the list when it is closed, and counted down, or the CAS fails, and the edge is not counted. While the
 * bias stands no worker can bring the counter to 0. Whoever brings it there sees everything that the earlier tasks did: each
 * of them changed the counter by a read-modify-write after its body.
 */
final class Task extends Node implements Result<@Nullable Void>, TaskContext {
    private static final System.Logger LOG = System.getLogger(Task.class.getName());

    /** More than any number of edges. */
    private static final int BIAS = 1 << 30;

    private static final @Nullable Object[] NO_ACCESSES = {};

    private static final VarHandle WAITING;
    private static final VarHandle LINKS;
    private static final VarHandle STATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WAITING = lookup.findVarHandle(Task.class, "waiting", int.class);
            LINKS = lookup.findVarHandle(Task.class, "links", Link.class);
            STATE = lookup.findVarHandle(Task.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Scope scope;
    private final String name;

    /**
     * Resource and access in turn. Replaced by a demotion, under the scope's lock. Nulled by the worker when the task is over: the
     * next submission may still see the task.
     */
    private @Nullable Object @Nullable [] accesses;

    /** What to run. Nulled like {@link #accesses}. */
    private @Nullable TaskBody body;

    /** What few tasks have. Written before the submission, or by the body's thread. */
    private @Nullable Extras extras;

    /** Earlier tasks that are not over. Written by the submitter and by workers, see above. */
    @SuppressWarnings("unused") // through its VarHandle
    private int waiting;

    /** The later tasks' links, newest first; {@link Link#CLOSED} when the task is over. CAS and getAndSet, see above. */
    @SuppressWarnings("unused") // through its VarHandle
    private @Nullable Link links;

    /**
     * Until the task runs: why it cannot. Written by whoever ends an earlier task, before it counts down, or by the submitter; of
     * several any may stay; read by the worker that runs the task, which the countdown orders behind all of them. From then on
     * how it ended, null when well: written by its worker before {@link #links} is closed, read after.
     */
    private @Nullable Outcome fate;

    /**
     * For those who look from outside: a {@link TaskState}'s code, as a number, since each write of a reference costs the
     * collector's barrier too. Written opaquely by whoever moves the task on, one at a time.
     */
    @SuppressWarnings("unused") // through its VarHandle
    private int state;

    /** Who runs it. Written by that worker before the body runs. */
    private int worker;

    /** How many tasks are before it on the longest path, where tasks are numbered. Under the scope's lock, before it is ready. */
    private short depth;

    /** Somebody waits for this task alone. Written by the waiter, read by the worker after the list is closed. */
    private volatile boolean awaited;

    Task(Scope scope, String name, @Nullable Object[] accesses, TaskBody body, @Nullable Extras extras) {
        this.scope = scope;
        this.name = name;
        this.accesses = accesses;
        this.body = body;
        this.extras = extras;
        this.waiting = BIAS;
        if (extras != null) {
            place(extras.place);
        }
    }

    // ---- as policies see it

    @Override
    public long id() {
        return extras == null ? -1 : extras.id;
    }

    @Override
    public int priority() {
        return extras == null ? 0 : extras.priority;
    }

    @Override
    public int depth() {
        return depth;
    }

    @Override
    public int consumers() {
        int count = 0;
        for (Link link = (Link) LINKS.getAcquire(this); link != null && link != Link.CLOSED; link = link.next) {
            count++;
        }
        return count;
    }

    @Override
    public boolean has(String flag) {
        return extras != null && extras.flags.contains(Flag.named(flag));
    }

    @Override
    public int affinity() {
        return extras == null ? -1 : extras.affinity;
    }

    @Override
    public Object locality() {
        @Nullable Object[] known = accesses;
        for (int i = 0; known != null && i < known.length; i += 2) {
            if (Accesses.access(known, i).writes()) {
                return Accesses.resource(known, i);
            }
        }
        return name;
    }

    // ---- submission, under the scope's lock

    /** This task is behind {@code earlier}. */
    void deepen(Task earlier) {
        depth = (short) Math.max(depth, Math.min(Short.MAX_VALUE, earlier.depth + 1));
    }

    /** The accesses for people, as far as they are seen: none when the task is over. Any thread. */
    String accessText() {
        @Nullable Object[] known = accesses;
        return known == null ? "" : Accesses.text(known);
    }

    TaskBody body() {
        return Objects.requireNonNull(body);
    }

    /** Whether it stands for the tasks of a compiled graph, and never runs itself. */
    boolean isRecorded() {
        return scope instanceof RecordingScope;
    }

    private void requireLive() {
        if (isRecorded()) {
            throw new IllegalStateException(
                    "task \"" + name + "\" is recorded: it runs when its compiled graph does, whose run"
                            + " can be waited for; afterwards call() has left its last result");
        }
    }

    @Nullable
    Extras extras() {
        return extras;
    }

    Scope scope() {
        return scope;
    }

    /** The accesses as they are now. */
    @Nullable
    Object[] declared() {
        @Nullable Object[] known = accesses;
        if (known == null) {
            throw new IllegalStateException("task \"" + name + "\" is over: its context must not be kept");
        }
        return known;
    }

    /** The accesses as they are now; none when it is over. Any thread. */
    @Nullable
    Object[] accessesUnlessOver() {
        @Nullable Object[] known = accesses;
        return known == null ? NO_ACCESSES : known;
    }

    /** Meets the trackers of its resources, in the order of its accesses. */
    void meetTrackers(Scope links) {
        @Nullable Object[] declared = Objects.requireNonNull(accesses);
        for (int i = 0; i < declared.length; i += 2) {
            Resource resource = Accesses.resource(declared, i);
            if (!resource.isUnordered()) {
                if (links.isNumbered()) {
                    links.because(resource, Accesses.access(declared, i) instanceof TagAccess);
                }
                if (isAdjustable()) {
                    rememberOverwritten(resource, Accesses.access(declared, i), links);
                }
                links.tracker(resource).submit(this, Accesses.access(declared, i), links);
            }
        }
    }

    /** The tracker is about to forget what this task overwrites; but it may not do so after all. */
    private void rememberOverwritten(Resource resource, Access mine, Scope links) {
        Extras its = ownExtras();
        if (mine.writes() && !mine.reads()) {
            List<Overwritten> all = new ArrayList<>(its.overwritten);
            links.tracker(resource).eachWithin((earlier, access) -> {
                if (earlier != this && access.writes() && mine.conflictsWith(access)) {
                    all.add(new Overwritten(resource, mine, earlier, access));
                }
            });
            its.overwritten = all;
        }
    }

    /** How it ended, when it is over. */
    @Nullable
    Outcome fate() {
        return fate;
    }

    /** Makes {@code later} wait for this task unless this is over; whether there is an edge now. */
    boolean addLink(Task later, boolean carriesFailure, boolean explicit) {
        Link link = null;
        for (Link head = (Link) LINKS.getAcquire(this); ; head = (Link) LINKS.getAcquire(this)) {
            if (head == Link.CLOSED) {
                if (carriesFailure && fate != null) {
                    later.cancelBecause(fate);
                }
                return false;
            }
            link = link == null ? new Link(later, carriesFailure, explicit) : link;
            link.next = head;
            // Release of the link, against the getAndSet in release(): the worker sees what the link holds.
            if (LINKS.compareAndSet(this, head, link)) {
                return true;
            }
        }
    }

    /** Tells {@code link} when the task is over; false when it is over already. Any thread. */
    boolean tell(Link link) {
        requireLive();
        for (Link head = (Link) LINKS.getAcquire(this); head != Link.CLOSED; head = (Link) LINKS.getAcquire(this)) {
            link.next = head;
            if (LINKS.compareAndSet(this, head, link)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the task is over and later accesses need not know of it. */
    boolean isForgotten(boolean wrote) {
        return isOver() && !(wrote && fate != null);
    }

    /** All edges are there: takes the bias away, and tells whether the task is ready already. */
    boolean commit(int edges) {
        if (edges == 0) {
            waiting = 0; // nobody else knows of this task
            return true;
        }
        return (int) WAITING.getAndAdd(this, edges - BIAS) == BIAS - edges;
    }

    /** An access failed where it must not: what was registered stays, and the task will fail with that. */
    void withdraw(Throwable why) {
        body = context -> {
            throw new IllegalStateException("an access of task \"" + name + "\" breaks its laws: " + why, why);
        };
    }

    // ---- on the way to run

    void cancelBecause(Outcome because) {
        fate = because;
    }

    private boolean countDown() {
        // A counter of 1 is this caller's own: nobody else will change it, but for hold(). Acquire: pairs with the
        // others'
        // getAndAdd.
        return ((int) WAITING.getAcquire(this) == 1 && !isAdjustable()) || (int) WAITING.getAndAdd(this, -1) == 1;
    }

    private boolean isAdjustable() {
        return extras != null && extras.adjustable;
    }

    /** Keeps a pending adjustable task from becoming ready until {@link #edgeGone}. False when it is ready already. */
    private boolean hold() {
        for (int edges = (int) WAITING.getAcquire(this); edges > 0; edges = (int) WAITING.getAcquire(this)) {
            if (WAITING.compareAndSet(this, edges, edges + 1)) {
                return true;
            }
        }
        return false;
    }

    /** One of the edges that were counted is gone. {@code context} is null outside of workers. */
    void edgeGone(@Nullable WorkerContext context) {
        if (countDown()) {
            becomeReady(context);
        }
    }

    /** Nothing is left to wait for, as its submitter knows. */
    void readyOutside(Dispatcher dispatcher) {
        become(TaskState.READY, null);
        dispatcher.ready(this);
    }

    private void becomeReady(@Nullable WorkerContext context) {
        if (isAdjustable()) {
            becomeReadySmaller(context);
        } else {
            announce(context);
        }
    }

    private void announce(@Nullable WorkerContext context) {
        if (context == null) {
            readyOutside(scope.domain.dispatcher);
        } else {
            become(TaskState.READY, context);
            context.readyAtEnd(this);
        }
    }

    /**
     * What was demoted while the task was pending takes effect now that all that it waited for is over. Those whom that makes
     * ready may have been demoted too, and so on: one by one, not one inside the other.
     */
    private void becomeReadySmaller(@Nullable WorkerContext context) {
        Deque<Task> ready = new ArrayDeque<>(List.of(this));
        for (Task task = ready.poll(); task != null; task = ready.poll()) {
            task.giveUpEarly(ready);
            task.announce(context);
        }
    }

    /** A task that will not run gives nothing up: what it was to write is poisoned, and others must hear of it. */
    private void giveUpEarly(Deque<Task> ready) {
        if (isAdjustable() && fate == null) {
            List<Demotion> demotions = Objects.requireNonNull(extras).becomeReady();
            if (!extras.overwritten.isEmpty()) {
                meetPoison(extras, demotions);
            }
            for (Demotion demotion : fate == null ? demotions : List.<Demotion>of()) {
                for (Task later : giveUp(demotion)) {
                    if (later.countDown()) {
                        ready.add(later);
                    }
                }
            }
        }
    }

    /** Who reads in the end what it has given up to overwrite reads what is poisoned. */
    private void meetPoison(Extras mine, List<Demotion> demotions) {
        @Nullable Object[] left = declared();
        for (Demotion demotion : demotions) {
            left = without(left, demotion);
        }
        for (Demotion demotion : demotions) {
            for (Overwritten one : mine.poisoned(demotion.resource())) {
                if (!one.isOverwrittenBy(left) && one.isReadBy(left)) {
                    cancelBecause(Objects.requireNonNull(one.poison()));
                }
            }
        }
    }

    /**
     * Before it has started, it has given up to overwrite something: what is poisoned of that is so for those behind. Where it is
     * overwritten in part, more is taken to be poisoned than is. Under the scope's lock.
     */
    private void leavePoison(Extras mine, Demotion demotion, Access from, boolean tracked) {
        for (Overwritten one : mine.poisoned(demotion.resource())) {
            Access to = demotion.to();
            if (one.by() != from || (to.writes() && to.covers(one.access()))) {
                continue;
            }
            mine.leave(one);
            if (tracked) {
                scope.tracker(one.resource()).restore(one.earlier(), one.access(), scope);
            }
            Outcome poison = Objects.requireNonNull(one.poison());
            for (Link link = (Link) LINKS.getAcquire(this); link != null; link = link.next) {
                if (link.later != null && !link.explicit && one.isReadBy(link.later.declared())) {
                    link.later.cancelBecause(poison);
                }
            }
        }
    }

    /** Nobody can bring the counter to 0 before {@link #edgeGone}: one of the edges is the submitter's, for this. */
    void tellPending() {
        become(TaskState.PENDING, null);
    }

    /** {@code context} is null outside of workers. */
    private void become(TaskState next, @Nullable WorkerContext context) {
        Watch watch = scope.watch;
        boolean news =
                watch != null && (next == TaskState.PENDING || state() != next); // what it does afterwards is not
        STATE.setOpaque(this, next.code());
        if (watch != null && news) {
            watch.changed(this, next, context);
        }
    }

    // ---- run

    @Override
    public void run(WorkerContext context) {
        if (extras != null && extras.unordered && !extras.holds && !takeUnordered(extras)) {
            return; // made ready again by whoever holds what it needs
        }
        Outcome because = fate;
        if (because != null) {
            neverRun(context, Outcome.cancelled(name, because));
        } else if (scope.graph.isCancelled()) {
            neverRun(context, Outcome.cancelled(name, null));
        } else {
            runBody(context, Objects.requireNonNull(body));
        }
    }

    private boolean takeUnordered(Extras mine) {
        // Set before: when it is not granted now, who grants it may run the task at once.
        mine.holds = true;
        return scope.exclusions().take(this, declared(), this::cancelBecause);
    }

    private void neverRun(WorkerContext context, Outcome how) {
        Refinement inside = extras == null ? null : extras.refinement;
        if (extras == null || inside == null) {
            end(context, TaskState.CANCELLED, how);
            return;
        }
        fate = how;
        extras.last = TaskState.CANCELLED;
        inside.neverStart(context, how);
        if (inside.partOver()) {
            refinementOver(context);
        }
    }

    private void runBody(WorkerContext context, TaskBody work) {
        worker = context.index();
        become(TaskState.RUNNING, context);
        boolean timed = scope.graph.timed();
        long start = timed ? context.lane().beginTask() : 0;
        Throwable error = null;
        try {
            if (extras != null) {
                begin(extras);
            }
            work.run(this);
        } catch (Throwable e) {
            error = e;
        }
        if (timed) {
            scope.graph.bodyEnded(context, this, start);
        }
        if (extras == null && error == null) {
            end(context, TaskState.DONE, null);
        } else {
            bodyOver(context, error);
        }
    }

    /** What few tasks need before their body runs. */
    private void begin(Extras mine) {
        if (mine.refinement != null) {
            mine.refinement.start();
        }
        if (mine.retry != null) {
            mine.retry.prepare(declared());
        }
        if (mine.timeLimitNanos > 0 || mine.interruptible) {
            Attempt attempt = new Attempt(this, mine.timeLimitNanos);
            mine.attempt = attempt;
            scope.graph.begins(attempt);
            attempt.limit(scope.domain.dispatcher);
        }
    }

    private void bodyOver(WorkerContext context, @Nullable Throwable error) {
        Extras mine = extras;
        if (mine == null) {
            partOver(context, error, null);
        } else if (mine.stage != null && error == null) {
            waitForStage(mine, mine.stage);
        } else {
            partOver(context, triedUntil(mine, error), mine);
        }
    }

    /** The attempt is over: with what, seen from outside. */
    private @Nullable Throwable triedUntil(Extras mine, @Nullable Throwable error) {
        Attempt attempt = mine.attempt;
        if (attempt == null) {
            return error;
        }
        mine.attempt = null;
        scope.graph.ends(attempt);
        return attempt.over(error);
    }

    /** The body, and what went on asynchronously, ended like this. */
    private void partOver(WorkerContext context, @Nullable Throwable error, @Nullable Extras mine) {
        Refinement inside = mine == null ? null : mine.refinement;
        if (error != null
                && mine != null
                && mine.retry != null
                && inside == null
                && triesAgain(mine, mine.retry, error)) {
            become(TaskState.READY, context);
            context.readyAtEnd(this);
            return;
        }
        TaskState last = error == null ? TaskState.DONE : TaskState.FAILED;
        Outcome how = error == null ? null : Outcome.failed(name, error, details());
        if (error instanceof CancellationException && scope.graph.isCancelled()) {
            last = TaskState.CANCELLED;
            how = Outcome.cancelled(name, null);
        }
        if (mine != null && inside != null) {
            fate = how; // read behind the last part
            mine.last = last;
            if (inside.partOver()) {
                refinementOver(context);
            }
        } else if (mine != null && mine.afterwards != null && how == null) {
            runAfterwards(context, mine);
        } else {
            end(context, last, how);
        }
    }

    private boolean triesAgain(Extras mine, Retry retry, Throwable error) {
        if (scope.graph.isCancelled() || !retry.again(error)) {
            return false;
        }
        mine.afterwards = null;
        return true;
    }

    // ---- asynchronous tasks

    /** From the body: the task is not over before {@code stage} is, whose result goes to {@code keeper}. */
    @SuppressWarnings("unchecked") // the two are given together
    <T extends @Nullable Object> void suspend(CompletionStage<? extends T> stage, Consumer<? super T> keeper) {
        Extras mine = ownExtras();
        mine.stage = stage;
        mine.keeper = (Consumer<Object>) keeper;
    }

    /** From the body, at its end: false when it will not run again; else {@code result} is told when that is so. */
    boolean mayRunAgain(ValueResult<?> result) {
        if (extras != null) {
            extras.result = result;
        }
        return extras != null || isRecorded();
    }

    private void waitForStage(Extras mine, CompletionStage<?> stage) {
        Attempt attempt = mine.attempt;
        mine.stageBegins(stage);
        scope.graph.suspended(this);
        if (attempt != null && attempt.bodyOver()) {
            cancelStage();
        }
        try {
            stage.whenComplete((value, error) -> stageEnds(stage, value, error));
        } catch (Throwable e) { // a stage that users wrote
            stageEnds(stage, null, e);
        }
    }

    private void stageEnds(CompletionStage<?> stage, @Nullable Object value, @Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (Objects.requireNonNull(extras).stageEnds(stage, value, cause)) {
            scope.graph.resumed(this);
            scope.domain.dispatcher.ready(new Waking(this));
        }
    }

    /** The time limit passed, or the graph was cancelled, while the stage was not complete. What the stage stands for may go on: the task is over when it is. */
    void cancelStage() {
        CompletionStage<?> stage = Objects.requireNonNull(extras).stage;
        try {
            if (stage != null) {
                stage.toCompletableFuture().cancel(true);
            }
        } catch (Throwable e) { // users' code: the others are to be cancelled too
            LOG.log(Level.WARNING, "what task \"" + name + "\" waits for cannot be cancelled", e);
        }
    }

    /** The stage is complete, or was given up. By a worker. */
    void stageOver(WorkerContext context) {
        Extras mine = Objects.requireNonNull(extras);
        worker = context.index();
        mine.stage = null;
        if (mine.stageError == null) {
            keep(mine);
        }
        partOver(context, triedUntil(mine, mine.stageError), mine);
    }

    /** The body and all sub-tasks are over. By the worker that ended the last of them. */
    void refinementOver(WorkerContext context) {
        Extras mine = Objects.requireNonNull(extras);
        Outcome inside = Objects.requireNonNull(mine.refinement).failure();
        Outcome own = fate;
        if (mine.afterwards != null && own == null && inside == null) {
            runAfterwards(context, mine);
        } else if (own != null || inside == null) {
            end(context, mine.last, own);
        } else {
            end(
                    context,
                    inside.root() == null ? TaskState.CANCELLED : TaskState.FAILED,
                    Outcome.cancelled(name, inside));
        }
    }

    @SuppressWarnings("NullAway") // a result may be null
    private static void keep(Extras mine) {
        Objects.requireNonNull(mine.keeper).accept(mine.stageValue);
    }

    private void runAfterwards(WorkerContext context, Extras mine) {
        if (mine.retry != null) {
            mine.retry.end();
        }
        body = mine.again();
        context.readyAtEnd(this);
    }

    private void end(WorkerContext context, TaskState last, @Nullable Outcome how) {
        if (how != null) {
            scope.graph.keep(how); // before anything that this lets go: a graph that stops starts none of it
        }
        if (how != null || fate != null) {
            fate = how;
        }
        if (how != null) {
            scope.graph.keepTags(accessesUnlessOver());
        }
        List<Task> granted = extras == null ? List.of() : letGo(extras, how);
        accesses = null;
        body = null;
        become(last, context);
        // Counted before the list is closed: that is a full fence, and stands between the count and the look for gates.
        scope.end(context, last);
        release(context, how);
        for (Task task : granted) {
            context.ready(task);
        }
        if (scope.hasGates()) {
            scope.openGates(context);
        }
        if (awaited) {
            scope.graph.signal();
        }
        if (scope instanceof Refinement inside) {
            inside.subTaskOver(context, how);
        }
    }

    private List<Task> letGo(Extras mine, @Nullable Outcome how) {
        mine.forget();
        return mine.holds ? scope.exclusions().release(this, how) : List.of();
    }

    /** Closes the list and counts the later tasks down; of those that become ready the first submitted is to run next. */
    private void release(WorkerContext context, @Nullable Outcome how) {
        // One read-modify-write: takes the links (acquire, pairs with the CAS in addLink) and publishes
        // fate (release, pairs with the acquire there). As a full fence it also stands between the list's
        // end and the read of `awaited`.
        Link link = (Link) LINKS.getAndSet(this, Link.CLOSED);
        for (; link != null; link = link.next) {
            Task later = link.later;
            if (later == null) {
                link.over(context);
            } else if (!link.fired) {
                if (how != null && link.carriesFailure) {
                    later.cancelBecause(how);
                }
                if (later.countDown()) {
                    later.becomeReady(context);
                }
            }
        }
    }

    private String details() {
        StringBuilder text = new StringBuilder("worker ").append(worker);
        if (extras != null && extras.retry != null) {
            text.append(" after ").append(extras.retry.tries()).append(" tries");
        }
        String how = accessText();
        text.append(how.isEmpty() ? "" : " (" + how + ')');
        return text.append(siteText()).toString();
    }

    // ---- for who looks from outside, while workers go on

    /** Where it was submitted, when that is known; to be appended. */
    String siteText() {
        Extras mine = extras;
        return mine == null || mine.site == null ? "" : ", submitted at " + mine.site;
    }

    /** The later tasks' links right now; null when there are none. */
    @Nullable
    Link laterTasks() {
        Link link = (Link) LINKS.getAcquire(this); // pairs with the CAS in addLink: what the link holds is seen
        return link == Link.CLOSED ? null : link;
    }

    /** The accesses, or null when the task is over; without an order to who replaces them. */
    @Nullable
    Object @Nullable [] accessesNow() {
        return accesses;
    }

    /** The inside, where one is seen. */
    @Nullable
    Refinement refinementNow() {
        Extras mine = extras;
        return mine == null ? null : mine.refinement;
    }

    // ---- refinement and demotion

    /** A new inside of this task. */
    Refinement inside() {
        return new Refinement(this, scope.graph, scope.domain);
    }

    @Override
    public void refine(Consumer<? super Tasks> submission) {
        Extras mine = ownExtras();
        Refinement inside = mine.refinement;
        if (inside == null) {
            inside = inside();
            inside.startedAlready();
            mine.refinement = inside;
        }
        inside.enterBlock();
        submit(inside, submission);
    }

    @Override
    public void refinePending(Consumer<? super Tasks> submission) {
        Extras mine = holdAdjustable("refined");
        try {
            submit(mine.refineEarly(this), submission);
        } finally {
            edgeGone(null);
        }
    }

    private static void submit(Refinement inside, Consumer<? super Tasks> submission) {
        try {
            submission.accept(inside);
        } finally {
            inside.leaveBlock();
        }
    }

    @Override
    public void afterwards(TaskBody rest) {
        ownExtras().afterwards = scope.domain.checked(rest);
    }

    @Override
    public void demote(Resource resource, Access to) {
        Demotion demotion = new Demotion(resource, to);
        @Nullable Object[] left = without(declared(), demotion);
        if (extras != null && extras.refinement != null) {
            extras.refinement.requireStillCovered(left, refusal(demotion), () -> {});
        }
        for (Task later : giveUp(demotion)) {
            later.edgeGone(null);
        }
    }

    @Override
    public void demotePending(Resource resource, Access to) {
        Extras mine = holdAdjustable("demoted");
        try {
            mine.demoteLater(new Demotion(resource, to), this);
        } finally {
            edgeGone(null);
        }
    }

    private Extras holdAdjustable(String what) {
        Extras mine = extras;
        if (mine == null || !mine.adjustable) {
            throw new IllegalStateException("task \"" + name + "\" cannot be " + what
                    + " from outside: build it with adjustable(), or let its own body do it");
        }
        if (!hold()) {
            throw new IllegalStateException("task \"" + name + "\" cannot be " + what
                    + " from outside any more: it is ready or running, so only its own body may do it");
        }
        return mine;
    }

    /** What a sub-task may need: the accesses as they are, or as they will be when a pending task becomes ready. */
    @Nullable
    Object[] allowed() {
        @Nullable Object @Nullable [] left = extras == null ? null : extras.left;
        return left == null ? declared() : left;
    }

    String refusal(Demotion demotion) {
        return "task \"" + name + "\" cannot demote its access to " + demotion.resource() + " to " + demotion.to();
    }

    /** {@code accesses} after {@code demotion}. */
    @Nullable
    Object[] without(@Nullable Object[] accesses, Demotion demotion) {
        @Nullable Object[] left = accesses.clone();
        left[Accesses.requireCovering(name, accesses, demotion.resource(), demotion.to()) + 1] = demotion.to();
        return left;
    }

    /** By the body's thread. */
    private Extras ownExtras() {
        Extras mine = extras;
        if (mine == null) {
            mine = new Extras();
            extras = mine;
        }
        return mine;
    }

    /** Replaces an access; returns those that waited only for what is given up, for each of which an edge is gone. */
    private List<Task> giveUp(Demotion demotion) {
        Resource resource = demotion.resource();
        @Nullable Object[] before = declared();
        Access from = Accesses.access(before, Accesses.requireCovering(name, before, resource, demotion.to()));
        @Nullable Object[] left = without(before, demotion);
        if (extras != null && extras.retry != null) {
            extras.retry.end();
        }
        List<Task> freed = new ArrayList<>();
        scope.lock.lock();
        try {
            List<Link> loose = resource.isUnordered() ? List.of() : looseLinks(demotion, from, left);
            accesses = left; // from here on nothing asks users' accesses: all of it happens, or nothing has
            if (!resource.isUnordered()) {
                boolean tracked = scope.tracker(resource).demote(this, from, demotion.to(), scope);
                if (extras != null && !extras.overwritten.isEmpty() && state() == TaskState.PENDING) {
                    leavePoison(extras, demotion, from, tracked);
                }
                for (Link link : loose) {
                    link.fired = true;
                    freed.add(Objects.requireNonNull(link.later));
                }
            }
        } finally {
            scope.lock.unlock();
        }
        if (resource.isUnordered() && extras != null && extras.holds) {
            scope.exclusions().shrink(this, left).forEach(scope.domain.dispatcher::ready);
        }
        return freed;
    }

    /**
     * Those that are not needed any more. Under the scope's lock, which keeps the list as it is and later tasks from being over. When a
     * user's access throws, no link has been taken away.
     */
    private List<Link> looseLinks(Demotion demotion, Access from, @Nullable Object[] left) {
        List<Link> loose = new ArrayList<>();
        Resource resource = demotion.resource();
        boolean keeps = demotion.to().reads() || demotion.to().writes();
        for (Link link = (Link) LINKS.getAcquire(this); link != null; link = link.next) {
            Task later = link.later;
            if (later == null || link.explicit || link.fired) {
                continue;
            }
            link.carriesFailure &= Accesses.read(later.declared(), left);
            if (Accesses.conflict(later.declared(), left)) {
                continue;
            }
            if (link.stands || (keeps && later.standsFor(resource, from))) {
                link.stands = true;
            } else {
                loose.add(link);
            }
        }
        return loose;
    }

    /**
     * Whether a tracker has this pending task in place of an earlier one with access {@code from}. Then others, who conflict with
     * what the earlier one keeps, wait for this task only, and so this one must go on waiting for the earlier one. What
     * writes in a built-in mode conflicts with all that it covers, so this matters to users' kinds of access alone.
     */
    private boolean standsFor(Resource resource, Access from) {
        @Nullable Object[] mine = declared();
        for (int i = 0; i < mine.length; i += 2) {
            Resource its = Accesses.resource(mine, i);
            Access access = Accesses.access(mine, i);
            boolean there = its == resource || (resource.isWithin(its) && access.equals(access.whole()));
            if (there && !(access.whole() instanceof Mode) && access.conflictsWith(from) && access.covers(from)) {
                return true;
            }
        }
        return false;
    }

    // ---- as its body sees it

    @Override
    public void parallelFor(long from, long to, long grain, RangeBody loop) throws Exception {
        scope.domain.dispatcher.loop(from, to, grain, loop);
    }

    @Override
    public <T> T get(Handle<T> handle) {
        if (Accesses.has(declared(), handle)) {
            return handle.value();
        }
        throw undeclared(handle);
    }

    private IllegalArgumentException undeclared(Handle<?> handle) {
        return new IllegalArgumentException("task \"" + name + "\" touches \"" + handle.name()
                + "\" without a declared access: declare it with reads, updates, writes or accesses");
    }

    /** In checking mode, by the body's thread: throws unless the task declared the handle, or a whole that it is a part of. */
    void requireMayTouch(Handle<?> handle) {
        @Nullable Object[] declared = declared();
        boolean known = false;
        boolean writes = false;
        for (int i = 0; i < declared.length; i += 2) {
            if (declared[i] == handle || handle.isWithin(Accesses.resource(declared, i))) {
                known = true;
                writes |= Accesses.access(declared, i).writes();
            }
        }
        if (!known) {
            throw undeclared(handle);
        }
        String subTask =
                !writes || extras == null || extras.refinement == null ? null : extras.refinement.handedOnTo(handle);
        if (subTask != null) {
            throw new IllegalStateException("task \"" + name + "\" touches \"" + handle.name()
                    + "\" after it has handed that on to its sub-task \"" + subTask
                    + "\": what is left to do belongs into ctx.afterwards");
        }
    }

    @Override
    public int worker() {
        return worker;
    }

    @Override
    public boolean cancelled() {
        return scope.graph.isCancelled();
    }

    // ---- as others see it

    @Override
    public String name() {
        return name;
    }

    @Override
    public TaskState state() {
        return TaskState.of((int) STATE.getOpaque(this));
    }

    @Override
    @SuppressWarnings("NullAway") // a task without a result has null
    public @Nullable Void join() {
        awaitEnd();
        return null;
    }

    @Override
    @SuppressWarnings("NullAway") // likewise
    public CompletionStage<@Nullable Void> stage() {
        return StageLink.of(this, () -> null);
    }

    /** Waits until the task is over; throws when it did not end well. */
    void awaitEnd() {
        requireLive();
        if (!isOver()) { // a task that comes after this one may ask, too
            awaited = true;
            scope.graph.await(this::isOver, "task \"" + name + '"');
        }
        RuntimeException failure = failure();
        if (failure != null) {
            throw failure;
        }
    }

    /** What a task that is over and did not end well is told by; null when it did. */
    @Nullable
    RuntimeException failure() {
        Outcome how = fate;
        if (how == null) {
            return null;
        }
        Outcome root = how.root();
        return root == null
                ? new CancellationException("task \"" + name + "\" was cancelled with its graph before it started")
                : TaskFailedException.of(root, how.isFailure() ? "" : "\n  so " + how.path() + " was cancelled");
    }

    /** Whether it is over; then how is known. Any thread. */
    boolean isOver() {
        return (Link) LINKS.getAcquire(this) == Link.CLOSED; // pairs with the getAndSet in release(): fate is seen
    }

    @Override
    public String toString() {
        return name;
    }
}

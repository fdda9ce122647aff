package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.SeededSchedule;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.testkit.Choices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs programs, each in a session of its own, one after the other on a thread that opens them; what hangs is left
 * behind. Confined to one thread.
 */
final class Runner implements AutoCloseable {
    private final List<? extends DeviceOffer> offered;
    private final Path folder;
    private final long limitSeconds;
    private final Fronts fronts;
    private ExecutorService opener = opener();
    /** Written by the thread that opens. */
    private final Tally tally = new Tally();

    private volatile @Nullable Session session;
    private volatile @Nullable Trial trial;

    Runner(List<? extends DeviceOffer> offered, Path folder, long limitSeconds) {
        this(offered, folder, limitSeconds, Fronts.NONE);
    }

    /** {@code fronts} make the loops and the components of programs that have some. */
    Runner(List<? extends DeviceOffer> offered, Path folder, long limitSeconds, Fronts fronts) {
        this.fronts = fronts;
        this.offered = offered;
        this.folder = folder;
        this.limitSeconds = limitSeconds;
    }

    private static ExecutorService opener() {
        return Executors.newSingleThreadExecutor(body -> {
            Thread thread = new Thread(body, "opener");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Runs {@code program} once; returns what must not have happened. */
    List<Violation> run(Program program) {
        return run(program, program.schedule(0));
    }

    /** Likewise; if it is played, under the schedule of {@code choices}. */
    List<Violation> run(Program program, Choices choices) {
        session = null;
        trial = null;
        Future<List<Violation>> running = opener.submit(() -> play(program, choices));
        try {
            return running.get(limitSeconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            List<Violation> hung = hung();
            opener.shutdownNow();
            opener = opener();
            return hung;
        } catch (ExecutionException e) {
            return e.getCause() instanceof SeededSchedule.Hang hang
                    ? hung(hang.getMessage() + "\n")
                    : List.of(new Violation(Violation.Kind.ERROR, stack(e)));
        } catch (InterruptedException e) {
            return List.of(new Violation(Violation.Kind.ERROR, stack(e)));
        }
    }

    /** What the sessions did that are closed. */
    Tally tally() {
        return tally;
    }

    private List<Violation> hung(String how) {
        List<Violation> all = new ArrayList<>();
        Trial known = trial;
        if (known != null) {
            all.addAll(known.bodies().violations());
        }
        Session its = session;
        String snapshot = its == null ? "not even open" : its.snapshot().toString();
        all.add(new Violation(Violation.Kind.HANG, how + snapshot));
        return all;
    }

    private List<Violation> hung() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            String name = each.getKey().getName();
            if (name.startsWith("opener") || name.startsWith("submitter") || name.startsWith("jacquard")) {
                text.append("\n").append(name);
                for (StackTraceElement at : each.getValue()) {
                    text.append("\n    ").append(at);
                }
            }
        }
        return hung(text.append('\n').toString());
    }

    static String stack(Throwable e) {
        StringBuilder text = new StringBuilder();
        for (Throwable at = e; at != null; at = at.getCause()) {
            text.append(at).append('\n');
            for (StackTraceElement element : at.getStackTrace()) {
                text.append("    ").append(element).append('\n');
            }
        }
        return text.toString();
    }

    private List<Violation> play(Program program, Choices choices) throws Exception {
        Setting setting = program.setting();
        Pace pace = setting.played() ? new Played(choices) : new Threads();
        Log log = new Log();
        Session its = pace.open(setting.builder(offered, folder, program.room(), program.hostLimit(), log));
        session = its;
        AtomicReference<Trial> made = new AtomicReference<>();
        pace.opener(() -> made.set(new Trial(program, its, setting.devices(offered), log, pace, fronts, folder)));
        Trial now = Objects.requireNonNull(made.get());
        trial = now;
        boolean ended = false;
        @Nullable Watcher watcher = setting.watched() ? new Watcher(program, now, its) : null;
        try {
            pace.submitAll(program, now, its);
            pace.opener(now::closeView);
            now.groups().end();
            pace.opener(() -> end(program, now, its));
            requireBounds(setting, now, its);
            ended = true;
        } catch (RuntimeException | ExecutionException e) {
            if (!setting.hasBroken()) {
                throw e;
            }
        } finally {
            pace.opener(() -> close(program, now, its));
            if (watcher != null) {
                watcher.close();
            }
            now.bodies().closed();
            tally.add(its, now.isComplete());
            if (ended && !setting.hasBroken()) {
                new Judge(program, now).judge();
                if (setting.keeps()) {
                    Histories.verify(program, now);
                }
            }
            now.bodies().tellWith(now::ends);
            now.forget();
        }
        return now.bodies().violations().stream()
                .filter(each -> !setting.hasBroken() || each.kind().holdsAlways())
                .toList();
    }

    private static void end(Program program, Trial now, Session its) {
        if (program.setting().frees()) {
            freeAll(program, now, its);
        }
        if (!program.setting().closes()) {
            awaitAll(program, now, its);
            now.beside().await();
            fetchAll(program, now, its);
            now.closeTrees();
            now.others().forEach(inner -> fetchAll(inner.program(), inner, its));
            if (program.setting().frees()) {
                now.others().forEach(inner -> freeAll(inner.program(), inner, its));
            }
        }
    }

    /** No memory holds more than it may, nor anything when all data was freed. */
    private static void requireBounds(Setting setting, Trial now, Session its) {
        boolean empty = setting.frees() && !setting.closes() && !setting.hasFaults();
        its.data().transfers().spaces().forEach(space -> {
            if (space.peak() > space.limit() || (empty && space.bytes() != 0)) {
                now.bodies().violation(Violation.Kind.VALUE, "left or too much: " + space);
            }
        });
    }

    private static void close(Program program, Trial now, Session its) {
        try {
            if (program.setting().interrupted()) {
                Thread.currentThread().interrupt();
            }
            its.close();
        } catch (TaskFailedException | CancellationException e) {
            now.told().byAwait(e);
            // a planned one; the judge finds others by how tasks ended
            for (Throwable beside : e.getSuppressed()) {
                if (isNotHome(beside)) {
                    notAllAtHome(now);
                }
            }
        } catch (RuntimeException e) {
            now.told().byAwait(e);
            if (program.setting().hasBroken()) {
                return;
            }
            if (program.setting().hasFaults() && isNotHome(e)) {
                notAllAtHome(now);
            } else {
                now.bodies().violation(Violation.Kind.ERROR, "close: " + stack(e));
            }
        } finally {
            if (Thread.interrupted() != program.setting().interrupted()) {
                now.bodies().violation(Violation.Kind.ERROR, "close has lost an interrupt, or made one up");
            }
        }
    }

    private static void notAllAtHome(Trial now) {
        now.world().notAllAtHome();
        now.others().forEach(inner -> inner.world().notAllAtHome());
    }

    private static boolean isNotHome(Throwable e) {
        return e.toString().contains("could be brought to the user's arrays");
    }

    /** Until all graphs are over at one moment: bodies of one may submit to another, which was awaited before. */
    private static void awaitAll(Program program, Trial now, Session its) {
        boolean submitting = now.inside().submits()
                || program.all().anyMatch(job -> !job.spawned().isEmpty());
        List<TaskGraph> graphs = List.of(now.graphs()[0], now.graphs()[1], its.graph());
        long before = -1;
        long submitted = submitted(graphs);
        while (submitted != before) {
            before = submitted;
            graphs.forEach(graph -> await(now, graph, submitting));
            submitted = submitted(graphs);
        }
    }

    private static long submitted(List<TaskGraph> graphs) {
        return graphs.stream().mapToLong(graph -> graph.report().submitted()).sum();
    }

    private static void await(Trial now, TaskGraph graph, boolean submitting) {
        boolean over = false;
        while (!over) {
            try {
                graph.await();
                over = true;
            } catch (TaskFailedException | CancellationException e) {
                now.told().byAwait(e);
                over = graph.isOver();
                if (!over && !submitting) { // bodies of another graph's may have submitted meanwhile
                    throw e;
                }
            }
        }
    }

    private static void fetchAll(Program program, Trial now, Session its) {
        for (Store store : program.stores()) {
            if (store.isData()
                    && store.home() != Store.Home.ENGINE
                    && now.world().whenFreed(store) == null) {
                try {
                    its.data().fetch((Data) now.world().resource(store.number()));
                    now.world().fetched(store);
                } catch (TaskFailedException | CancellationException e) {
                    now.told().byOther(e);
                    // poisoned, or lost with its device
                }
            }
        }
    }

    /** Frees what tasks may still access: the user has at once what they wrote. */
    private static void freeAll(Program program, Trial now, Session its) {
        for (Store store : program.stores()) {
            if (store.isData()) {
                Data data = (Data) now.world().resource(store.number());
                try {
                    its.data().free(data);
                    now.world().freed(store);
                } catch (IllegalStateException e) { // freed all the same, but what failed is not at home
                    now.told().byOther(e);
                    if (program.isCalm()) {
                        now.bodies().violation(Violation.Kind.ERROR, "free: " + stack(e));
                    }
                    now.world().lost(store);
                }
            }
        }
    }

    @Override
    public void close() {
        opener.shutdownNow();
    }
}

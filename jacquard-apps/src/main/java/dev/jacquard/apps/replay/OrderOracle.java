package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.ReplayResult.EndState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists the errors in the result of a run, by the program alone. */
final class OrderOracle {
    private static final double NANOS_PER_MICRO = 1e3;
    /** Rounding of times to whole nanoseconds. */
    private static final long ROUNDING = 1;

    private final ReplayResult result;
    private final AccessRights rights;
    private final OrderCheck orders;
    private final StateCheck states;
    private final List<String> violations = new ArrayList<>();
    private final Map<String, List<TaskRun>> byWorker = new LinkedHashMap<>();

    private OrderOracle(TaskProgram program, ReplayResult result) {
        this.result = result;
        ResourceTree tree = new ResourceTree(program.resources());
        this.rights = new AccessRights(tree);
        this.orders = new OrderCheck(tree, rights, violations::add);
        this.states = new StateCheck(tree, rights, violations::add);
    }

    /**
     * Every violation of the program that the result shows, as sentences; none when all is well.
     *
     * @param program with the times that its bodies had to spin
     * @param result times in nanoseconds
     */
    static List<String> check(TaskProgram program, ReplayResult result) {
        OrderOracle oracle = new OrderOracle(program, result);
        oracle.level(program.tasks(), result.tasks(), null);
        oracle.byWorker.forEach(oracle::checkWorker);
        return List.copyOf(oracle.violations);
    }

    private void level(List<TaskSpec> specs, List<TaskResult> results, @Nullable TaskRun parent) {
        List<TaskRun> runs = matched(specs, results, parent);
        for (TaskRun run : runs) {
            if (run.ran()) {
                checkTimes(run, parent);
                byWorker.computeIfAbsent(run.execution().worker(), w -> new ArrayList<>())
                        .add(run);
            } else if (run.state() != EndState.CANCELLED) {
                violations.add(run.name() + " is " + run.state().text() + " and has no times");
            }
            level(run.spec().refine(), run.result().tasks(), run);
        }
        orders.check(runs);
        if (parent == null || parent.ran()) {
            states.check(runs);
        }
    }

    /** Each task with its result; a task or result without the other is reported, and left out. */
    private List<TaskRun> matched(List<TaskSpec> specs, List<TaskResult> results, @Nullable TaskRun parent) {
        Map<String, TaskResult> byName = new LinkedHashMap<>();
        for (TaskResult task : results) {
            if (byName.put(task.name(), task) != null) {
                violations.add("\"" + task.name() + "\" is there more than once");
            }
        }
        List<TaskRun> runs = new ArrayList<>();
        for (TaskSpec spec : specs) {
            TaskResult task = byName.remove(spec.name());
            if (task != null) {
                runs.add(new TaskRun(spec, task, rights));
            } else if (parent == null || parent.ran()) {
                violations.add("\"" + spec.name() + "\" is missing");
            }
        }
        byName.keySet().forEach(name -> violations.add("\"" + name + "\" is no task of the program, or not there"));
        return runs;
    }

    private void checkTimes(TaskRun task, @Nullable TaskRun parent) {
        Execution ran = task.execution();
        if (task.state() == EndState.CANCELLED) {
            violations.add(task.name() + " is cancelled and has times");
        }
        require(ran.start() >= 0, task, "started before the run, at " + ran.start());
        require(
                ran.end() - ran.start() + ROUNDING >= nanos(task, 1),
                task,
                "took " + (ran.end() - ran.start()) + " ns, less than its body needs");
        require(ran.end() <= result.makespan(), task, "ended after the makespan, at " + ran.end());
        if (parent != null) {
            require(parent.ran(), task, "ran, and its parent " + parent.name() + " did not");
            if (parent.ran()) {
                require(ran.start() >= parent.start(), task, "started before its parent " + parent.name());
                require(ran.end() <= parent.end(), task, "ended after its parent " + parent.name());
            }
        }
        require(
                !task.spec().has(TaskFlag.MAIN) || ran.worker().equals(Execution.MAIN),
                task,
                "ran on " + ran.worker() + "; it is flagged for the main thread");
        require(isWorker(ran.worker()), task, "ran on \"" + ran.worker() + "\", which is no worker of this run");
        checkDemotions(task);
    }

    private boolean isWorker(String name) {
        return name.equals(Execution.MAIN)
                || (name.matches("w\\d{1,6}") && Integer.parseInt(name.substring(1)) < result.workers());
    }

    private void checkDemotions(TaskRun task) {
        List<DemoteSpec> expected = task.spec().demotionsInOrder();
        List<Demoted> actual = task.result().demoted();
        if (expected.size() != actual.size()) {
            violations.add(task.name() + " gave up " + actual.size() + " accesses, not " + expected.size());
            return;
        }
        long last = task.start();
        for (int i = 0; i < actual.size(); i++) {
            Demoted demoted = actual.get(i);
            DemoteSpec demotion = expected.get(i);
            require(
                    demoted.resource().equals(demotion.to().resource())
                            && demoted.mode() == demotion.to().mode(),
                    task,
                    "demoted \"" + demoted.resource() + "\" to "
                            + demoted.mode().text() + ", not to " + demotion.to());
            require(
                    demoted.time() >= last && demoted.time() <= task.end(),
                    task,
                    "gave up \"" + demoted.resource() + "\" at " + demoted.time()
                            + ", out of order or out of its time");
            require(
                    demoted.time() - task.start() + ROUNDING >= nanos(task, demotion.at()),
                    task,
                    "gave up \"" + demoted.resource() + "\" at " + demoted.time() + ", too early");
            last = demoted.time();
        }
    }

    /** A thread runs one body at a time. The duration of a body with sub-tasks is not known: at least its time. */
    private void checkWorker(String worker, List<TaskRun> tasks) {
        tasks.sort(Comparator.comparingLong(TaskRun::start));
        for (int i = 1; i < tasks.size(); i++) {
            TaskRun before = tasks.get(i - 1);
            long over = before.spec().refine().isEmpty() ? before.end() : before.start() + nanos(before, 1) - ROUNDING;
            require(
                    tasks.get(i).start() >= over,
                    tasks.get(i),
                    "started on " + worker + " while " + before.name() + " ran there");
        }
    }

    private static long nanos(TaskRun task, double part) {
        return (long) (task.spec().micros() * part * NANOS_PER_MICRO);
    }

    private void require(boolean holds, TaskRun task, String fault) {
        if (!holds) {
            violations.add(task.name() + ' ' + fault);
        }
    }
}

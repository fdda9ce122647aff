package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tasks in their order, each with a target, and the copies between these: after each task that writes data, a prefetch
 * to every other target on which a task reads it. A task that reads it there comes after the prefetch, so that it never
 * fetches the data itself. Without a device there are none.
 *
 * <p>Confined to one thread.
 *
 * <p>Source: the expressions thesis, sections 3.1.16 and 3.2.4.
 */
final class PlacedTasks {
    /**
     * A task with the place where it runs.
     *
     * @param where a device, or the host
     */
    record Placed(FieldTask task, ExecutionTarget where, Parameters numbers) {}

    /**
     * A prefetch.
     *
     * @param behind the number of the task that writes the data; -1 for one before all tasks
     */
    record Ahead(Data data, ExecutionTarget to, int behind) {}

    private final List<Placed> tasks = new ArrayList<>();
    /** The data that is on the host when all is over. */
    private final Set<Data> home = new LinkedHashSet<>();

    /**
     * Adds a task.
     *
     * @param where the target, of which the first device in service is taken if it is a kind
     */
    void add(Session session, FieldTask task, ExecutionTarget where, Parameters numbers) {
        tasks.add(new Placed(task, DeviceTargets.named(session, task.name(), where), numbers));
    }

    /** Lets data be on the host when all is over. */
    void bringHome(Collection<Data> data) {
        home.addAll(data);
    }

    /** Returns all prefetches, by the tasks that they follow. */
    List<Ahead> ahead() {
        if (tasks.stream().allMatch(one -> one.where.equals(ExecutionTarget.HOST))) {
            return List.of();
        }
        List<List<Ahead>> behind = new ArrayList<>();
        tasks.forEach(task -> behind.add(new ArrayList<>()));
        behind.add(new ArrayList<>());
        Map<Data, Integer> writers = new HashMap<>();
        Map<Data, Set<ExecutionTarget>> there = new HashMap<>();
        for (int i = 0; i < tasks.size(); i++) {
            Placed one = tasks.get(i);
            for (Data data : one.task.reads()) {
                bring(data, one.where, writers, there, behind);
            }
            for (Data data : one.task.writes()) {
                writers.put(data, i);
                there.put(data, new LinkedHashSet<>(Set.of(one.where)));
            }
        }
        home.forEach(data -> bring(data, ExecutionTarget.HOST, writers, there, behind));
        return behind.stream().flatMap(List::stream).toList();
    }

    /** Returns all prefetches in words: a field before the step, or the result of a task, and where it goes. */
    List<String> aheadText() {
        return ahead().stream()
                .map(one -> (one.behind < 0
                                ? one.data.name()
                                : tasks.get(one.behind).task.name()) + " to " + one.to)
                .toList();
    }

    private static void bring(
            Data data,
            ExecutionTarget to,
            Map<Data, Integer> writers,
            Map<Data, Set<ExecutionTarget>> there,
            List<List<Ahead>> behind) {
        if (there.computeIfAbsent(data, any -> new LinkedHashSet<>()).add(to)) {
            int writer = writers.getOrDefault(data, -1);
            behind.get(writer + 1).add(new Ahead(data, to, writer));
        }
    }

    /** Submits all. */
    void submit(Session session, Tasks graph) {
        Map<Integer, List<Ahead>> behind = new HashMap<>();
        ahead().forEach(one ->
                behind.computeIfAbsent(one.behind, any -> new ArrayList<>()).add(one));
        Map<Data, Map<ExecutionTarget, Task<@Nullable Void>>> arrivals = new HashMap<>();
        prefetch(graph, behind.getOrDefault(-1, List.of()), arrivals);
        for (int i = 0; i < tasks.size(); i++) {
            Placed one = tasks.get(i);
            List<Task<?>> after = new ArrayList<>();
            for (Data data : one.task.reads()) {
                Task<?> arrival = arrivals.getOrDefault(data, Map.of()).get(one.where);
                if (arrival != null) {
                    after.add(arrival);
                }
            }
            one.task.submit(session, graph, one.where, one.numbers, after.toArray(Task<?>[]::new));
            one.task.writes().forEach(arrivals::remove);
            prefetch(graph, behind.getOrDefault(i, List.of()), arrivals);
        }
    }

    private static void prefetch(
            Tasks graph, List<Ahead> all, Map<Data, Map<ExecutionTarget, Task<@Nullable Void>>> arrivals) {
        for (Ahead one : all) {
            arrivals.computeIfAbsent(one.data, any -> new HashMap<>())
                    .put(one.to, graph.prefetch(one.data).to(one.to));
        }
    }
}

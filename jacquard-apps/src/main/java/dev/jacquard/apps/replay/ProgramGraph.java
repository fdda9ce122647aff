package dev.jacquard.apps.replay;

import dev.jacquard.components.program.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tasks of a program and the edges between them, for plans and simulations. Tasks come after all tasks that they
 * wait for. A sub-task follows the body of its parent, and the successors of a parent wait for its sub-tasks too. Tasks
 * that exclude each other in any order have the order of the file; demotions do not count. Immutable.
 *
 * @param tasks in the order of submission, each before its sub-tasks
 * @param edges without repetition
 * @param isWorkflow true for a WfFormat workflow instance, with sizes of files and times in seconds
 */
public record ProgramGraph(List<Task> tasks, List<Edge> edges, boolean isWorkflow) {
    /**
     * A task or a sub-task.
     *
     * @param name unique
     * @param micros how long its body runs
     * @param priority larger is more urgent
     * @param isMain true if the main thread must run it
     */
    public record Task(String name, double micros, int priority, boolean isMain) {}

    /**
     * A task that waits for another.
     *
     * @param from the number of the earlier task
     * @param to the number of the later task
     * @param bytes the size of the files that the earlier one writes and the later one reads
     */
    public record Edge(int from, int to, long bytes) {}

    public ProgramGraph {
        tasks = List.copyOf(tasks);
        edges = List.copyOf(edges);
    }

    /**
     * Returns the graph of the program in {@code file}, whichever format it has.
     *
     * @throws InputException for a file that cannot be used
     */
    public static ProgramGraph read(Path file) {
        JsonValue document = JsonSource.read(file);
        TaskProgram program = TaskProgram.of(document);
        Element root = Element.of(document, "the program");
        boolean workflow = WorkflowReader.isWorkflow(root);
        Maker maker = new Maker(program, workflow ? WorkflowReader.sizes(root) : Map.of());
        maker.level(program.tasks(), -1);
        List<Edge> edges = new ArrayList<>();
        maker.bytes.forEach((ends, bytes) -> edges.add(new Edge(ends.from, ends.to, bytes)));
        return new ProgramGraph(maker.tasks, edges, workflow);
    }

    private record Ends(int from, int to) {}

    /** Confined to one call. */
    private static final class Maker {
        private final LevelEdges levelEdges;
        private final Map<String, Long> sizes;
        private final List<Task> tasks = new ArrayList<>();
        private final Map<Ends, Long> bytes = new LinkedHashMap<>();

        Maker(TaskProgram program, Map<String, Long> sizes) {
            this.levelEdges = new LevelEdges(new ResourceTree(program.resources()), true);
            this.sizes = sizes;
        }

        /**
         * Adds the tasks of a level.
         *
         * @param parent the number of the body that submits them; negative for none
         * @return the numbers of the tasks without a successor: the level is over when they are
         */
        Set<Integer> level(List<TaskSpec> specs, int parent) {
            int[] bodies = new int[specs.size()];
            List<Set<Integer>> ends = new ArrayList<>();
            for (int i = 0; i < bodies.length; i++) {
                TaskSpec spec = specs.get(i);
                bodies[i] = tasks.size();
                tasks.add(new Task(spec.name(), spec.micros(), spec.priority(), spec.has(TaskFlag.MAIN)));
                if (parent >= 0) {
                    edge(parent, bodies[i], 0);
                }
                ends.add(spec.refine().isEmpty() ? Set.of(bodies[i]) : level(spec.refine(), bodies[i]));
            }
            Set<Integer> last = new HashSet<>();
            ends.forEach(last::addAll);
            levelEdges.of(specs, (earlier, later, kind, resource) -> {
                long size = carries(specs.get(earlier), specs.get(later), resource) ? size(resource) : 0;
                for (int end : ends.get(earlier)) {
                    edge(end, bodies[later], size);
                    last.remove(end);
                }
            });
            return last;
        }

        private long size(String resource) {
            return sizes.getOrDefault(resource, 0L);
        }

        /** Returns true if the later task reads what the earlier one writes of the resource. */
        private static boolean carries(TaskSpec earlier, TaskSpec later, String resource) {
            return has(earlier, resource, true) && has(later, resource, false);
        }

        private static boolean has(TaskSpec task, String resource, boolean writes) {
            return task.accesses().stream()
                    .anyMatch(access -> access.resource().equals(resource)
                            && (writes ? access.mode().writes() : access.mode().reads()));
        }

        private void edge(int from, int to, long size) {
            bytes.merge(new Ends(from, to), size, Long::sum);
        }
    }
}

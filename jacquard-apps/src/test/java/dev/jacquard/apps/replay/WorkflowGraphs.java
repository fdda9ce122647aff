package dev.jacquard.apps.replay;

import dev.jacquard.cluster.partition.WeightedGraph;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Recorded workflows as graphs: tasks weigh their microseconds, edges the bytes of the files between two tasks. */
final class WorkflowGraphs {
    /** The names of the files, in the folder {@code wfinstances}. */
    static final List<String> NAMES = List.of(
            "1000genome-chameleon-2ch-100k-001.json",
            "cycles-chameleon-1l-1c-9p-001.json",
            "epigenomics-chameleon-hep-1seq-100k-001.json",
            "helloworld-forkjoin-10-chameleon.json",
            "montage-chameleon-2mass-005d-001.json",
            "montage-chameleon-2mass-05d-001.json",
            "seismology-chameleon-100p-001.json");

    private WorkflowGraphs() {}

    static WeightedGraph read(Path file) {
        List<TaskSpec> tasks = TaskProgram.read(file).tasks();
        Map<String, Long> bytes = bytes(file);
        Map<String, List<Integer>> writers = new HashMap<>();
        WeightedGraph.Builder graph = WeightedGraph.builder(tasks.size());
        for (int task = 0; task < tasks.size(); task++) {
            graph.weight(task, Math.round(tasks.get(task).micros()));
            for (AccessSpec access : tasks.get(task).accesses()) {
                if (access.mode().writes()) {
                    writers.computeIfAbsent(access.resource(), name -> new ArrayList<>())
                            .add(task);
                }
            }
        }
        for (int task = 0; task < tasks.size(); task++) {
            for (AccessSpec access : tasks.get(task).accesses()) {
                if (access.mode().reads()) {
                    for (int writer : writers.getOrDefault(access.resource(), List.of())) {
                        graph.edge(writer, task, Math.max(1, bytes.getOrDefault(access.resource(), 1L)));
                    }
                }
            }
        }
        return graph.build();
    }

    private static Map<String, Long> bytes(Path file) {
        Element workflow = Element.of(JsonSource.read(file), "the workflow").element("workflow");
        Map<String, Long> bytes = new HashMap<>();
        for (JsonValue value : workflow.element("specification").list("files")) {
            Element its = Element.of(value, "a file");
            bytes.put(
                    its.text("id"),
                    its.integer("sizeInBytes", 0, Long.MAX_VALUE).orElse(1L));
        }
        return bytes;
    }
}

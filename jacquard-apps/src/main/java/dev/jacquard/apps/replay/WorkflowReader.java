package dev.jacquard.apps.replay;

import dev.jacquard.components.program.InputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads a workflow instance in WfFormat, version 1.5 and later ({@code workflow.specification}). Files become
 * resources, which their tasks read or overwrite; run times become spinning times; a parent that no file implies
 * becomes an explicit edge. Tasks are submitted in an order in which parents come first, otherwise in the file's. A
 * workflow that was not executed has unit times.
 *
 * <p>Source: WfCommons, wfcommons.org/format.
 */
final class WorkflowReader {
    private static final double MICROS_PER_SECOND = 1e6;
    /** Seconds of each task of a workflow that was not executed. */
    private static final double UNIT = 1;

    private final Map<String, Element> elements = new LinkedHashMap<>();
    private final Map<String, Set<String>> parents = new LinkedHashMap<>();
    /** Seconds, by task. */
    private final Map<String, Double> times;

    private WorkflowReader(Element root) {
        Element workflow = root.element("workflow");
        if (!workflow.has("specification")) {
            throw old(root, workflow);
        }
        Element specification = workflow.element("specification");
        specification.require("tasks", "a list of tasks");
        List<JsonValue> tasks = specification.list("tasks");
        for (int i = 0; i < tasks.size(); i++) {
            Element unnamed = Element.of(tasks.get(i), "tasks[" + i + "]");
            String id = unnamed.text(unnamed.has("id") ? "id" : "name");
            Element element = unnamed.named("task \"" + id + '"');
            Element earlier = elements.put(id, element);
            if (earlier != null) {
                throw element.wrong(element.where(), "there is another task of this id at " + earlier.where());
            }
            parents.put(id, new LinkedHashSet<>());
        }
        this.times = workflow.has("execution") ? times(workflow.element("execution")) : unitTimes();
    }

    /** Returns the error that a workflow has the form of an earlier version, or of none. */
    private static InputException old(Element root, Element workflow) {
        String version = root.has("schemaVersion") ? root.text("schemaVersion") : "";
        boolean isOld = workflow.has("jobs") || workflow.has("tasks") || version.matches("1\\.[0-4]");
        if (!isOld) {
            return workflow.wrong(workflow.where(), "\"specification\" is missing; expected an object");
        }
        String its = version.isEmpty() ? "an earlier version of WfFormat" : "version " + version + " of WfFormat";
        return root.wrong(
                root.where("schemaVersion"),
                "it is " + its + ", in which a workflow has no \"specification\"; expected version 1.5 or 1.6, to which"
                        + " the tools of WfCommons migrate it");
    }

    /** Returns true if {@code root} is a workflow instance. */
    static boolean isWorkflow(Element root) {
        return root.has("workflow");
    }

    /** Returns the bytes of the files of a workflow that {@link #read} accepts, by name. */
    static Map<String, Long> sizes(Element root) {
        Map<String, Long> sizes = new HashMap<>();
        List<JsonValue> files =
                root.element("workflow").element("specification").list("files");
        for (int i = 0; i < files.size(); i++) {
            Element unnamed = Element.of(files.get(i), "files[" + i + "]");
            String id = unnamed.text("id");
            Element file = unnamed.named("file \"" + id + '"');
            sizes.put(id, file.integer("sizeInBytes", 0, Long.MAX_VALUE).orElse(0L));
        }
        return sizes;
    }

    private Map<String, Double> unitTimes() {
        Map<String, Double> seconds = new LinkedHashMap<>();
        elements.keySet().forEach(id -> seconds.put(id, UNIT));
        return seconds;
    }

    /** The workflow in {@code root}, which has a member "workflow". */
    static TaskProgram read(Element root) {
        WorkflowReader reader = new WorkflowReader(root);
        reader.elements.forEach(reader::readParents);
        return reader.program();
    }

    private Map<String, Double> times(Element execution) {
        Map<String, Double> seconds = new LinkedHashMap<>();
        Map<String, String> places = new HashMap<>();
        for (JsonValue value : execution.list("tasks")) {
            Element element = Element.of(value, "\"execution\"");
            String id = element.text("id");
            Element named = element.named("task \"" + id + "\" of \"execution\"");
            if (!elements.containsKey(id)) {
                throw named.wrong(named.where(), "\"specification\" has no such task" + hint(id));
            }
            String earlier = places.put(id, named.where());
            if (earlier != null) {
                throw named.wrong(named.where(), "it is given a second time, after " + earlier);
            }
            double time = named.number("runtimeInSeconds")
                    .orElseThrow(() -> named.wrong(
                            named.where(), "it has no \"runtimeInSeconds\"; expected a number of seconds from 0 on"));
            if (!(time >= 0 && time * MICROS_PER_SECOND <= TaskSpec.MOST_MICROS)) {
                throw named.wrong(
                        named.where("runtimeInSeconds"),
                        "\"runtimeInSeconds\" is " + time + "; expected a number of seconds from 0 on, at most a year");
            }
            seconds.put(id, time);
        }
        return seconds;
    }

    private void readParents(String id, Element element) {
        for (JsonValue.Text parent : element.texts("parents")) {
            require(element, parent, "parent");
            of(parents, id).add(parent.text());
        }
        for (JsonValue.Text child : element.texts("children")) {
            require(element, child, "child");
            of(parents, child.text()).add(id);
        }
    }

    private void require(Element element, JsonValue.Text id, String what) {
        if (!elements.containsKey(id.text())) {
            throw element.wrong(id.where(), "its " + what + " \"" + id.text() + "\" is no task" + hint(id.text()));
        }
    }

    private TaskProgram program() {
        List<String> order = order();
        Set<String> files = new LinkedHashSet<>();
        Map<String, Set<String>> written = new HashMap<>();
        List<TaskSpec> tasks = new ArrayList<>();
        for (String id : order) {
            Element element = of(elements, id);
            Set<String> inputs = names(element, "inputFiles");
            Set<String> outputs = names(element, "outputFiles");
            List<AccessSpec> accesses = new ArrayList<>();
            inputs.forEach(file -> accesses.add(
                    new AccessSpec(file, outputs.contains(file) ? AccessMode.UPDATE : AccessMode.READ, null)));
            outputs.stream()
                    .filter(file -> !inputs.contains(file))
                    .forEach(file -> accesses.add(new AccessSpec(file, AccessMode.WRITE, null)));
            written.put(id, outputs);
            List<String> after = of(parents, id).stream()
                    .filter(parent -> Collections.disjoint(of(written, parent), inputs)) // else a file implies it
                    .toList();
            Double seconds = times.get(id);
            if (seconds == null) {
                throw element.wrong(
                        element.where(), "\"execution\" has no task of this id, which says how long it runs");
            }
            double micros = MICROS_PER_SECOND * seconds;
            tasks.add(new TaskSpec(id, micros, accesses, after, Set.of(), 0, false, List.of(), List.of()));
            files.addAll(inputs);
            files.addAll(outputs);
        }
        return new TaskProgram(files.stream().map(ResourceSpec::of).toList(), tasks);
    }

    private static Set<String> names(Element element, String key) {
        Set<String> names = new LinkedHashSet<>();
        element.texts(key).forEach(text -> names.add(text.text()));
        return names;
    }

    /**
     * Parents first, otherwise as the file has them: each task as soon as nothing before it in the file is possible.
     */
    private List<String> order() {
        List<String> order = new ArrayList<>();
        Set<String> done = new LinkedHashSet<>();
        for (String id : elements.keySet()) {
            visit(id, order, done);
        }
        return order;
    }

    /** Appends the tasks that {@code from} needs, then itself. Without recursion: chains may be long. */
    private void visit(String from, List<String> order, Set<String> done) {
        List<String> path = new ArrayList<>(List.of(from));
        List<Iterator<String>> open = new ArrayList<>(List.of(of(parents, from).iterator())); // by place in the path
        Set<String> onPath = new LinkedHashSet<>(path);
        while (!path.isEmpty()) {
            String at = path.getLast();
            if (!done.contains(at) && open.getLast().hasNext()) {
                String next = open.getLast().next();
                if (onPath.contains(next)) {
                    throw cycle(path.subList(path.indexOf(next), path.size()));
                }
                if (!done.contains(next)) {
                    onPath.add(next);
                    path.add(next);
                    open.add(of(parents, next).iterator());
                }
                continue;
            }
            path.removeLast();
            open.removeLast();
            onPath.remove(at);
            if (done.add(at)) {
                order.add(at);
            }
        }
    }

    private InputException cycle(List<String> path) {
        Element element = of(elements, path.getFirst());
        return element.wrong(
                element.where(),
                "it waits for itself: " + String.join(" -> ", path) + " -> " + path.getFirst()
                        + "; parents must not form a cycle");
    }

    private String hint(String id) {
        return Element.hint(id, List.copyOf(elements.keySet()));
    }

    private static <T> T of(Map<String, T> map, String key) {
        return Objects.requireNonNull(map.get(key), key);
    }
}

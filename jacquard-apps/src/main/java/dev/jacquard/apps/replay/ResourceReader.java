package dev.jacquard.apps.replay;

import dev.jacquard.components.program.InputException;
import dev.jacquard.memory.data.Resource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the list of resources, and checks that they form trees. */
final class ResourceReader {
    private static final List<String> KEYS = List.of("name", "parent", "dimensions", "unordered");
    private static final int MOST_DIMENSIONS = 64;

    private final Map<String, ResourceSpec> specs = new LinkedHashMap<>();
    private final Map<String, Element> elements = new LinkedHashMap<>();

    private ResourceReader() {}

    static List<ResourceSpec> read(List<JsonValue> values) {
        ResourceReader reader = new ResourceReader();
        for (int i = 0; i < values.size(); i++) {
            reader.add(Element.of(values.get(i), "resources[" + i + "]").allow(KEYS));
        }
        reader.specs.values().forEach(reader::checkParents);
        return List.copyOf(reader.specs.values());
    }

    private void add(Element unnamed) {
        String name = unnamed.text("name");
        Element element = unnamed.named("resource \"" + name + '"');
        Element earlier = elements.put(name, element);
        if (earlier != null) {
            throw element.wrong(element.where("name"), "there is another of this name at " + earlier.where("name"));
        }
        Integer dimensions = element.integer("dimensions", 1, MOST_DIMENSIONS)
                .map(Long::intValue)
                .orElse(null);
        specs.put(name, new ResourceSpec(name, element.textOrNull("parent"), dimensions, element.truth("unordered")));
    }

    private void checkParents(ResourceSpec resource) {
        Set<String> path = new LinkedHashSet<>();
        for (ResourceSpec at = resource; at.parent() != null; at = parent(at)) {
            if (!path.add(at.name())) {
                throw cycle(at.name(), path);
            }
        }
        if (path.size() >= Resource.MOST_LEVELS) { // the resource itself, and its parents but the topmost
            throw wrong(
                    resource,
                    "parent",
                    "it would be at level " + (path.size() + 1) + " of its tree, which may have "
                            + Resource.MOST_LEVELS);
        }
        checkOrder(resource);
    }

    private ResourceSpec parent(ResourceSpec resource) {
        String name = Objects.requireNonNull(resource.parent());
        ResourceSpec parent = specs.get(name);
        if (parent == null) {
            throw wrong(
                    resource,
                    "parent",
                    "its parent \"" + name + "\" is no resource" + Element.hint(name, List.copyOf(specs.keySet())));
        }
        return parent;
    }

    private InputException cycle(String name, Set<String> path) {
        List<String> names = List.copyOf(path);
        List<String> cycle = names.subList(names.indexOf(name), names.size());
        return wrong(
                Objects.requireNonNull(specs.get(name)),
                "parent",
                "its parents form a cycle: " + String.join(" -> ", cycle) + " -> " + name);
    }

    /** One tree has one answer to whether it is ordered: a part may repeat it, and not contradict. */
    private void checkOrder(ResourceSpec resource) {
        if (resource.parent() == null || !element(resource).has("unordered")) {
            return;
        }
        ResourceSpec root = resource;
        while (root.parent() != null) {
            root = parent(root);
        }
        if (root.unordered() != resource.unordered()) {
            throw wrong(
                    resource,
                    "unordered",
                    "it is a part of \"" + root.name() + "\", which is " + (root.unordered() ? "unordered" : "ordered")
                            + "; say \"unordered\" there, for the whole tree");
        }
    }

    private InputException wrong(ResourceSpec resource, String key, String fault) {
        return element(resource).wrong(element(resource).where(key), fault);
    }

    private Element element(@Nullable ResourceSpec resource) {
        return Objects.requireNonNull(
                elements.get(Objects.requireNonNull(resource).name()));
    }
}

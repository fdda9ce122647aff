package dev.jacquard.apps.replay;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tree of the resources of a program. Immutable. */
final class ResourceTree {
    private final Map<String, ResourceSpec> byName = new HashMap<>();

    /** Of resources with unique names and with parents that are among them and form no cycle. */
    public ResourceTree(List<ResourceSpec> resources) {
        resources.forEach(resource -> byName.put(resource.name(), resource));
    }

    /** Returns true if {@code name} is {@code ancestor} or lies below it. */
    public boolean isWithin(String name, String ancestor) {
        for (String at = name; at != null; at = parent(at)) {
            if (at.equals(ancestor)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if tasks that touch the two can meet: one is the other, or a part of it. */
    public boolean meet(String one, String other) {
        return isWithin(one, other) || isWithin(other, one);
    }

    /** Returns true if conflicts in this resource's tree exclude without order. */
    public boolean isUnordered(String name) {
        for (String at = name; at != null; at = parent(at)) {
            if (spec(at).unordered()) {
                return true;
            }
        }
        return false;
    }

    /** The resource without a parent that has {@code name} as a part, or is it. */
    public String root(String name) {
        String at = name;
        for (String above = parent(at); above != null; above = parent(at)) {
            at = above;
        }
        return at;
    }

    private @Nullable String parent(String name) {
        return spec(name).parent();
    }

    private ResourceSpec spec(String name) {
        return Objects.requireNonNull(byName.get(name), name);
    }
}

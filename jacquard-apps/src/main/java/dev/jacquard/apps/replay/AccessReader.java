package dev.jacquard.apps.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads accesses: a resource that exists, a mode, an area with the resource's number of dimensions. */
final class AccessReader {
    static final List<String> KEYS = List.of("resource", "mode", "area");

    private final Map<String, ResourceSpec> resources = new LinkedHashMap<>();
    /** Of resources that do not say how many dimensions they have: the number of the first area. */
    private final Map<String, Dimensions> seen = new HashMap<>();

    private record Dimensions(int count, String source) {}

    AccessReader(List<ResourceSpec> resources) {
        for (ResourceSpec resource : resources) {
            this.resources.put(resource.name(), resource);
            Integer count = resource.dimensions();
            if (count != null) {
                seen.put(resource.name(), new Dimensions(count, "\"dimensions\" of the resource"));
            }
        }
    }

    /** The access that {@code element} describes; it belongs to a task, which its subject names. */
    AccessSpec read(Element element) {
        String resource = element.text("resource");
        if (!resources.containsKey(resource)) {
            throw element.wrong(
                    element.where("resource"),
                    "there is no resource \"" + resource + '"'
                            + Element.hint(resource, List.copyOf(resources.keySet())));
        }
        Element ofResource = element.named(element.subject() + ", resource \"" + resource + '"');
        String text = ofResource.text("mode");
        AccessMode mode = ofResource.spelt(
                ofResource.where("mode"),
                text,
                "there is no mode \"" + text + '"',
                AccessMode.values(),
                AccessMode::text);
        return new AccessSpec(resource, mode, area(ofResource, resource));
    }

    private @Nullable Box area(Element element, String resource) {
        if (!element.has("area")) {
            return null;
        }
        List<JsonValue> values = element.list("area");
        List<Interval> intervals = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            intervals.add(interval(element, values.get(i), i));
        }
        if (intervals.isEmpty()) {
            throw element.wrong(
                    element.where("area"),
                    "its area is empty; expected [low, high] per dimension, or no \"area\" for all of it");
        }
        Dimensions dimensions = seen.computeIfAbsent(
                resource, name -> new Dimensions(intervals.size(), "the area at " + element.where("area")));
        if (dimensions.count != intervals.size()) {
            throw element.wrong(
                    element.where("area"),
                    "its area has " + intervals.size() + " dimension(s); expected " + dimensions.count + ", after "
                            + dimensions.source);
        }
        return new Box(intervals);
    }

    private static Interval interval(Element element, JsonValue value, int dimension) {
        String what = "dimension " + dimension + " of its area";
        if (!(value instanceof JsonValue.Items pair) || pair.values().size() != 2) {
            throw element.wrong(value.where(), what + " is " + described(value) + "; expected [low, high]");
        }
        long low = element.whole("low of " + what, pair.values().getFirst(), Long.MIN_VALUE, Long.MAX_VALUE);
        long high = element.whole("high of " + what, pair.values().getLast(), Long.MIN_VALUE, Long.MAX_VALUE);
        if (low > high) {
            throw element.wrong(
                    value.where(),
                    what + " goes from " + low + " to " + high
                            + "; expected [low, high], both included, low not above high");
        }
        return new Interval(low, high);
    }

    private static String described(JsonValue value) {
        return value instanceof JsonValue.Items items
                ? "a list of " + items.values().size()
                : value.kind();
    }
}

package dev.jacquard.apps.replay;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A demotion that happened.
 *
 * @param resource its name
 * @param mode the remaining access
 * @param time right before the access was given up, nanoseconds from the start of the run
 */
record Demoted(String resource, AccessMode mode, long time) {
    /** As part of a JSON document. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("resource", resource);
        values.put("mode", mode.text());
        values.put("time", time);
        return values;
    }
}

package dev.jacquard.bench.workload;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A system that cannot be run here, so that its rows are left out.
 *
 * @param system its name
 * @param reason why
 * @param install what to install, as a command for Debian
 */
public record Absence(String system, String reason, String install) {
    /** As part of a JSON document. */
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("system", system);
        values.put("reason", reason);
        values.put("install", install);
        return values;
    }
}

package dev.jacquard.components.run;

import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Loop;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports on a run of a program. */
final class RunReport {
    private final ComposedProgram program;
    private final OpenedParts parts;
    private final Passes passes;
    private final @Nullable Placement placement;
    private final double seconds;
    private final @Nullable ResumePoint resumed;

    /** @param placement the rank of each part; null unless each runs on one of several */
    RunReport(ComposedProgram program, ComposedProgram.Ended ended, @Nullable Placement placement) {
        this.program = program;
        this.placement = placement;
        this.parts = ended.opened();
        this.passes = ended.passes();
        this.seconds = ended.nanos() / 1e9;
        this.resumed = ended.resumed();
    }

    Report report() {
        Map<String, Object> results = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        if (resumed != null) {
            lines.add(resumed.line());
        }
        for (int i = 0; i < parts.size(); i++) {
            PartContext context = parts.context(i);
            Object result = context.result();
            if (result != null) {
                results.put(context.name(), result);
            }
            if (!context.lines().isEmpty()) {
                lines.add(context.name() + ":");
                context.lines().forEach(line -> lines.add("  " + line));
            } else if (result != null) {
                lines.add(context.name() + ": " + result);
            }
        }
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("program", program.name());
        values.put("mode", Setting.Type.nameOf(program.mode()));
        values.put("seconds", seconds);
        if (program.ranks() > 0) {
            values.put("ranks", program.ranks());
        }
        if (placement != null) {
            values.putAll(placement.toReport());
        }
        if (resumed != null) {
            values.put("resumed", resumed.toReport());
        }
        values.put("components", components(program.plan()));
        values.put("loops", loops(program.plan()));
        values.put("wires", wires(program.plan()));
        values.put("results", results);
        long executions = 0;
        for (int i = 0; i < parts.size(); i++) {
            executions += parts.get(i).executions();
        }
        lines.add(String.format(
                Locale.ROOT,
                "%d component%s, %d execution%s, %.3f s",
                parts.size(),
                parts.size() == 1 ? "" : "s",
                executions,
                executions == 1 ? "" : "s",
                seconds));
        return new Report(lines, values);
    }

    private List<Map<String, Object>> components(Plan plan) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("name", plan.parts().get(i).name());
            its.put("component", plan.parts().get(i).component());
            its.put("executions", parts.get(i).executions());
            its.put("seconds", parts.get(i).nanos() / 1e9);
            all.add(its);
        }
        return all;
    }

    private List<Map<String, Object>> loops(Plan plan) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < plan.loops().size(); i++) {
            Loop loop = plan.loops().get(i);
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("entry", plan.parts().get(loop.entry()).name());
            its.put("exit", plan.parts().get(loop.exit()).name());
            its.put(
                    "components",
                    loop.parts().stream()
                            .map(part -> plan.parts().get(part).name())
                            .toList());
            its.put("passes", passes.of(i));
            all.add(its);
        }
        return all;
    }

    private List<Map<String, Object>> wires(Plan plan) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Wire wire : plan.wires()) {
            Part from = plan.parts().get(wire.from());
            Part to = plan.parts().get(wire.to());
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("source", from.name(wire.source()));
            its.put("sink", to.name(wire.sink()));
            its.put("type", wire.source().type().toString());
            long bytes = parts.bytes(wire.from()).get(from.sources().indexOf(wire.source()));
            if (bytes > 0) {
                its.put("bytes", bytes);
            }
            all.add(its);
        }
        return all;
    }
}

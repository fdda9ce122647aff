package dev.jacquard.apps.known;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import java.io.IOException;
import java.util.List;

/**
 * The component {@code heat}: the heat equation with a varying conductivity, and how far its solution is from the
 * truth.
 */
public final class Heat implements Application {
    private static final Setting<KnownHeat.Walls> WALLS = Setting.optional(
            "walls",
            Setting.Type.choice(KnownHeat.Walls.class),
            "dirichlet",
            "what is given at the walls: the temperature, its derivative, or nothing since the cube repeats itself");

    @Override
    public String name() {
        return "heat";
    }

    @Override
    public String description() {
        return "solves the heat equation with a varying conductivity, and measures its error and speed";
    }

    @Override
    public List<Setting<?>> settings() {
        return Measurement.with(WALLS);
    }

    @Override
    public boolean computesInLanes() {
        return true;
    }

    @Override
    public void check(Settings settings) {
        Measurement.check(settings);
    }

    @Override
    public Report run(Job run) throws IOException {
        return new Measurement(run)
                .run(
                        name(),
                        dimensions -> new KnownHeat(dimensions, run.settings().get(WALLS)));
    }
}

package dev.jacquard.apps.known;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.program.Settings.Given;
import java.io.IOException;
import java.util.List;

/**
 * The component {@code transport}: scalars that a flow carries along, coupled or not, and how far their solution is
 * from the truth.
 */
public final class Transport implements Application {
    private static final Setting<Integer> EQUATIONS =
            Setting.optional("equations", Setting.Type.integer(1, 256), "16", "the number of scalars");
    private static final Setting<KnownTransport.Coupling> COUPLING = Setting.optional(
            "coupling",
            Setting.Type.choice(KnownTransport.Coupling.class),
            "none",
            "whether the rate of each scalar needs all of them (full), or none of the others");

    @Override
    public String name() {
        return "transport";
    }

    @Override
    public String description() {
        return "carries scalars along with a flow, coupled or not, and measures error and speed";
    }

    @Override
    public List<Setting<?>> settings() {
        return Measurement.with(EQUATIONS, COUPLING);
    }

    @Override
    public boolean computesInLanes() {
        return true;
    }

    @Override
    public void check(Settings settings) {
        Measurement.check(settings);
        Given<KnownTransport.Coupling> coupling = settings.given(COUPLING);
        if (settings.get(EQUATIONS) < 2 && coupling.value() == KnownTransport.Coupling.FULL) {
            throw coupling.error(
                    "'coupling: full' takes two 'equations' or more, whose waves add up to nothing, not 1");
        }
    }

    @Override
    public Report run(Job run) throws IOException {
        check(run.settings());
        int equations = run.settings().get(EQUATIONS);
        KnownTransport.Coupling coupling = run.settings().get(COUPLING);
        return new Measurement(run).run(name(), dimensions -> new KnownTransport(dimensions, equations, coupling));
    }
}

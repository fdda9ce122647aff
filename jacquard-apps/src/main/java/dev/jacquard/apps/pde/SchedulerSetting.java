package dev.jacquard.apps.pde;

import dev.jacquard.components.program.Setting;
import dev.jacquard.core.compiled.Scheduler;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The setting {@code scheduler} of components that compute on fields: the name of one, built in or the user's. */
public final class SchedulerSetting {
    private static final String NONE = "none";

    /** The scheduler of a step's tasks; empty for what workers find. */
    public static final Setting<Optional<Scheduler>> SCHEDULER = Setting.optional(
            "scheduler",
            new Setting.Type<>(
                    "one of " + NONE + ", "
                            + Scheduler.all().stream().map(Scheduler::name).collect(Collectors.joining(", ")),
                    SchedulerSetting::parse),
            NONE,
            "which ready task of a step is next: what holds up most (priority), one after the other (topological), what"
                    + " a scheduler of the class path says, or what workers find (none)");

    private SchedulerSetting() {}

    @SuppressWarnings("NullableOptional") // null: no such name
    private static @Nullable Optional<Scheduler> parse(String text) {
        if (text.equals(NONE)) {
            return Optional.empty();
        }
        Optional<Scheduler> found =
                Scheduler.all().stream().filter(one -> one.name().equals(text)).findFirst();
        return found.isEmpty() ? null : found;
    }

    /** Returns the name that reports tell. */
    public static String name(Optional<Scheduler> scheduler) {
        return scheduler.map(Scheduler::name).orElse(NONE);
    }
}

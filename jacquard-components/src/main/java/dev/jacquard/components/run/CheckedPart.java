package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import org.jspecify.annotations.Nullable;

/**
 * A part of a program that was checked.
 *
 * @param part its name and sockets
 * @param component the component that it is an instance of
 * @param settings the values of its settings
 * @param limitNanos the time that an execution may take; 0 for any
 * @param weight the work of an execution, relative to that of other parts; more than 0
 * @param passLimit the setting that limits the passes of a loop which the part ends; null if there is none
 */
record CheckedPart(
        Part part,
        Component component,
        Settings settings,
        long limitNanos,
        double weight,
        @Nullable Setting<Integer> passLimit) {
    /** Returns the most passes of a loop which the part ends; 0 if there is no limit. */
    int mostPasses() {
        int most = passLimit == null ? 0 : settings.get(passLimit);
        return most == Integer.MAX_VALUE ? 0 : most;
    }

    /** Returns the name in the program, the component's name, and the class. */
    String described() {
        return "component '" + part.name() + "' (" + part.component() + ", "
                + component.getClass().getName() + ")";
    }
}

package dev.jacquard.flow.runtime;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;

/**
 * The learned times of a task's items, by target and size. Sizes are distinguished by their magnitude: two sizes with
 * the same highest bit have one time.
 *
 * <p>Threads: any; called under locks, so implementations take no lock of a run and do not block.
 */
interface ItemTimes {
    /** Returns the expected time of an item in nanoseconds; negative if there was no measurement. */
    double nanos(Place target, long size);

    /** Adds a measurement, which moves the expected time. */
    void add(Place target, long size, double nanos);

    /** Returns the times that {@code model} has under {@code name}: all runs that use the model learn together. */
    static ItemTimes of(TimeModel model, String name) {
        return new ItemTimes() {
            @Override
            public double nanos(Place target, long size) {
                return model.nanos(name, target, size);
            }

            @Override
            public void add(Place target, long size, double nanos) {
                model.add(name, target, size, nanos);
            }
        };
    }
}

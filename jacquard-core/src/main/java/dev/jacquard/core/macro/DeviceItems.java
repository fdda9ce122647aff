package dev.jacquard.core.macro;

import dev.jacquard.core.session.DeviceAccess;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.DeviceWork;

/** The items of a run on one device, by one lane for each stream. Threads: any. */
final class DeviceItems<T> {
    private final MacroRun<T> run;
    private final Side side;
    private final DeviceAccess access;

    DeviceItems(MacroRun<T> run, Side side, DeviceAccess access) {
        this.run = run;
        this.side = side;
        this.access = access;
    }

    DeviceAccess access() {
        return access;
    }

    Side side() {
        return side;
    }

    MacroRun<T> run() {
        return run;
    }

    /** Returns one more stream. */
    DeviceStream stream() {
        return access.stream("macro task " + run.context().name());
    }

    /**
     * Enqueues work. The monitor keeps the promise of {@link DeviceBody#enqueue}: one call at a time for each device.
     */
    synchronized void enqueue(DeviceBody body, DeviceWork work) throws Exception {
        body.enqueue(work);
    }

    /** Begins the lanes. */
    void begin() {
        int count = Math.min(
                run.macro().pipelineDriver().streams(), run.macro().items().size());
        run.lanesBegin(count);
        for (int i = 0; i < count; i++) {
            DeviceLane<T> lane = new DeviceLane<>(this);
            try {
                run.session().executor().background(lane);
            } catch (RuntimeException e) { // no thread
                run.laneOver(side.place(), e);
            }
        }
    }
}

package dev.jacquard.core.macro;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.memory.device.DeviceBody;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The places of a session where the items of a macro task may be done, and the choice among them. Immutable. */
record MacroPlaces<T>(MacroTask<T> macro, Session session) {
    /** Throws unless there is a place for the work. */
    void require(String task) {
        Kernel kernel = macro.items().kernel();
        if (kernel == null && !macro.items().hasHost()) {
            throw new IllegalArgumentException("macro task \"" + task + "\" has no work: give it a body or a kernel");
        }
        List<Place> devices = devices(task);
        for (Place device : devices) {
            DeviceBody body = macro.pipelineDriver().batch() == 1
                    ? null
                    : body(macro.items().call(0, task), device);
            if (body != null && !body.isBatchable()) {
                throw new IllegalArgumentException("macro task \"" + task + "\": kernel \"" + nameOf(kernel)
                        + "\" is to run in batches, and its implementation for " + device
                        + " is not declared batchable: SourceKernel.batchable(), or DeviceBody.isBatchable(),"
                        + " or the pipeline driver \"streams\"");
            }
        }
        boolean needsHost = macro.where() == MacroTask.Where.HOST
                || (macro.where() != MacroTask.Where.DEVICES && devices.isEmpty());
        if (needsHost ? !macro.items().hasHost() : macro.where() == MacroTask.Where.DEVICES && devices.isEmpty()) {
            throw new IllegalStateException("macro task \"" + task + "\" is for " + macro.where() + ", and "
                    + (kernel == null ? "has no kernel" : "kernel \"" + kernel.name() + "\" is for " + kernel.targets())
                    + "; the session has " + session.executor().places()
                    + ": give it work for one of these, or open the session with devices");
        }
    }

    private static String nameOf(@Nullable Kernel kernel) {
        return kernel == null ? "" : kernel.name();
    }

    /** Makes a run in the places that are the best by measured times, or that the macro task names. */
    MacroRun<T> run(BodyContext context) {
        List<Place> devices = devices(context.name());
        boolean host = switch (macro.where()) {
            case HOST -> true;
            case DEVICES -> false;
            case BOTH -> macro.items().hasHost();
            case ANY ->
                devices.isEmpty()
                        || (macro.items().hasHost() && isHostFaster(MacroRun.timeName(context.name()), devices));
        };
        boolean alone = macro.where() == MacroTask.Where.ANY && host;
        return new MacroRun<>(macro, context, session, host, alone ? List.of() : devices);
    }

    private boolean isHostFaster(String name, List<Place> devices) {
        TimeModel times = session.executor().times();
        double host = times.nanos(name, Place.HOST, 0) / session.workers();
        double rate = 0;
        for (Place device : devices) {
            double nanos = times.nanos(name, device, 0) / macro.pipelineDriver().streams();
            if (nanos < 0) {
                return false;
            }
            rate += 1 / Math.max(1, nanos);
        }
        return host > 0 && 1 / host > rate;
    }

    /** Returns the devices for which the macro task has a kernel. */
    private List<Place> devices(String task) {
        List<Place> found = new ArrayList<>();
        if (macro.items().kernel() != null
                && macro.where() != MacroTask.Where.HOST
                && macro.items().size() > 0) {
            KernelCall first = macro.items().call(0, task);
            for (Place place : session.executor().places()) {
                if (place.isDevice() && body(first, place) != null) {
                    found.add(place);
                }
            }
        }
        return found;
    }

    /** Returns the implementation for a device; null for none. */
    private @Nullable DeviceBody body(KernelCall call, Place place) {
        boolean emulated = macro.where() != MacroTask.Where.ANY;
        return call.in(place, emulated) instanceof KernelCall.OnDevice work ? work.body() : null;
    }
}

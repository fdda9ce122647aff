package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.util.List;

/**
 * The choice of one task between the host and devices. It is made at the submission, so that data can be on its way
 * early. It is made again when the task is ready, if the start and the time that were expected then are wrong by more
 * than that time, or it was not known.
 *
 * <p>Threads: the submitter, then the thread that takes the ready task, then the thread that runs it.
 *
 * <p>Source: the abstract runtime system document, section II-C5; the expressions thesis, section 3.1.16 (reassignment
 * during the run).
 */
final class HostWeighing {
    private final Dispatcher dispatcher;
    private final Staging staging;
    private final KernelTask task;
    private final Footprint footprint;

    /** The expected start, by the session's clock. */
    private double start;
    /** The expected time of the task in its place; negative if it is not known. */
    private double nanos;
    /** True once the choice was made again, or is good enough. */
    private boolean settled;

    /** Notes the choice of {@code where} at the submission. */
    HostWeighing(Dispatcher dispatcher, Staging staging, KernelTask task, Place where) {
        this.dispatcher = dispatcher;
        this.staging = staging;
        this.task = task;
        this.footprint = staging.footprint(task.accesses());
        this.nanos = nanosAt(where);
        this.start = dispatcher.clock().nanoTime()
                + Math.max(staging.queuedNanos(where), staging.dataNanos(footprint, where));
    }

    private double nanosAt(Place place) {
        return dispatcher.times().nanos(task.kernel(), place, footprint.bytes());
    }

    /**
     * Chooses again, once. Returns true if the task goes elsewhere.
     *
     * @param plan of the task, which counts as work of its present place
     */
    boolean moves(TargetSelection route, PlannedAccess plan) {
        if (settled) {
            return false;
        }
        settled = true;
        double known = nanosAt(route.where());
        double error = Math.abs(dispatcher.clock().nanoTime() - start) + Math.abs(known - nanos);
        if (nanos >= 0 && error <= nanos) {
            return false;
        }
        List<Place> places = route.weighed().stream()
                .filter(place -> staging.fits(footprint, place))
                .toList();
        Place from = route.where();
        if (places.size() < 2 || !places.contains(from)) {
            return false;
        }
        Place to = dispatcher.choose(task, DevicePlaces.ready(dispatcher, staging, footprint, places, plan, from));
        if (to == from) {
            return false;
        }
        route.goTo(to);
        return true;
    }

    /** Runs the host's side of the kernel, and measures it. */
    void run(KernelCall.OnHost host, BodyContext context) throws Exception {
        long begin = dispatcher.clock().nanoTime();
        host.body().run(context);
        double took = dispatcher.clock().nanoTime() - begin;
        dispatcher.times().add(task.kernel(), Place.HOST, footprint.bytes(), took);
    }
}

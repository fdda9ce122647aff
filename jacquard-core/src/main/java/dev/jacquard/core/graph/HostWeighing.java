package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.BodyContext;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.residency.Staging.Footprint;
import dev.jacquard.memory.residency.Staging.PlannedAccess;

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
    private final KernelTask task;
    private final Footprint footprint;

    /** The expected start, by the session's clock. */
    private final double start;
    /** The expected time of the task in its place; negative if it is not known. */
    private final double nanos;
    /** True once the choice was made again, or is good enough: a place that is tried again is tried. */
    private boolean settled;

    /** Notes the choice of {@code where} among {@code places} at the submission. */
    HostWeighing(Dispatcher dispatcher, KernelTask task, Footprint footprint, DevicePlaces places, Place where) {
        this.dispatcher = dispatcher;
        this.task = task;
        this.footprint = footprint;
        this.settled = places.isRetry(where);
        this.nanos = places.runNanos(task, where);
        this.start = dispatcher.clock().nanoTime() + places.startNanos(where);
    }

    /**
     * Chooses again, once. Returns true if the task goes elsewhere.
     *
     * @param places empty, for the choice
     * @param plan of the task, which counts as work of its present place
     */
    boolean moves(TargetSelection route, DevicePlaces places, PlannedAccess plan) {
        if (settled) {
            return false;
        }
        settled = true;
        Place from = route.where();
        double known = dispatcher.times().nanos(task.kernel(), from, footprint.bytes());
        double error = Math.abs(dispatcher.clock().nanoTime() - start) + Math.abs(known - nanos);
        if (nanos >= 0 && error <= nanos) {
            return false;
        }
        route.offer(places);
        if (!places.keepRoomy(footprint) || places.size() < 2 || !places.isOffered(from)) {
            return false;
        }
        Place to = places.choose(task, footprint, plan);
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

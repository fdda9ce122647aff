package dev.jacquard.core.graph;

/**
 * An edge that carries failures, added when some failures had been reported: these are reported again for the waiting
 * task.
 */
final class LateLink extends Link {
    /** The number of reports before it was added. */
    private final long tellings;

    LateLink(TaskNode later, boolean explicit, long tellings) {
        super(later, true, explicit);
        this.tellings = tellings;
    }

    @Override
    Outcome seen(Outcome how, TaskNode its) {
        return its.scope().graph.failures().asOf(tellings, how);
    }
}

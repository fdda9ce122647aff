package dev.jacquard.cluster.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * What every communicator does, on any number of ranks. In-process ranks run it within a test, MPI by
 * {@link ContractMain} under its launcher; the results of a check are the same to the bit.
 */
public final class CommunicatorContract {
    private CommunicatorContract() {}

    /** Returns all checks. */
    public static List<Check> all() {
        List<Check> all = new ArrayList<>();
        all.addAll(MessageChecks.all());
        all.addAll(CollectiveChecks.all());
        all.addAll(MisuseChecks.all());
        return all;
    }
}

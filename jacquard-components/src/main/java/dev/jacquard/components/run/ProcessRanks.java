package dev.jacquard.components.run;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.local.LocalRanks;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Program.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A run over ranks inside this process: a session each, which share the workers, and one output folder. */
final class ProcessRanks {
    private final ComposedProgram program;
    private final int ranks;

    /** The end of one rank. */
    private record End(@Nullable Report report, @Nullable Exception failure) {}

    ProcessRanks(ComposedProgram program, int ranks) {
        this.program = program;
        this.ranks = ranks;
    }

    Report run(Surroundings its) throws Exception {
        List<End> ends;
        try {
            ends = new ArrayList<>(LocalRanks.of(ranks).run(comm -> run(its, comm)));
        } catch (AbortedException e) {
            throw new ComponentFailedException(String.valueOf(e.getMessage()), e);
        }
        for (End each : ends) {
            if (each.failure != null && !(each.failure instanceof CommunicationException)) {
                throw each.failure;
            }
        }
        End first = ends.getFirst();
        if (first.failure != null) {
            throw new ComponentFailedException(String.valueOf(first.failure.getMessage()), first.failure);
        }
        return Objects.requireNonNull(first.report);
    }

    private End run(Surroundings its, Communicator comm) {
        Surroundings own = comm.rank() == 0
                ? its
                : new Surroundings(its.output(), Progress.NONE, its.cancellation(), its.resumes(), its.trace());
        try {
            return new End(program.runInProcess(own, comm), null);
        } catch (Exception e) { // on all ranks, which have agreed on it
            return new End(null, e);
        }
    }
}

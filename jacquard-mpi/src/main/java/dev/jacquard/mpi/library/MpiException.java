package dev.jacquard.mpi.library;

import dev.jacquard.cluster.communicator.CommunicationException;
import java.io.Serial;

/** A call of MPI that failed. */
final class MpiException extends CommunicationException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int errorClass;

    MpiException(String message, int errorClass) {
        super(message);
        this.errorClass = errorClass;
    }

    /** Returns the class of the error, as {@code MPI_Error_class} has it; -1 if it has none. */
    public int errorClass() {
        return errorClass;
    }
}

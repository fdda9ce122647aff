package dev.jacquard.cluster.communicator;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The program was ended by one of its ranks. */
public final class AbortedException extends CommunicationException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int rank;
    private final int code;

    /**
     * An end.
     *
     * @param rank the rank that ended the program
     * @param code its exit code
     */
    public AbortedException(int rank, int code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.rank = rank;
        this.code = code;
    }

    /** Returns the rank that ended the program. */
    public int rank() {
        return rank;
    }

    /** Returns the exit code that it gave. */
    public int code() {
        return code;
    }
}

package dev.jacquard.cluster.communicator;

import java.io.Serial;

/** All ranks wait for each other. The message says which rank waits for which message of which rank. */
public final class DeadlockException extends CommunicationException {
    @Serial
    private static final long serialVersionUID = 1;

    public DeadlockException(String message) {
        super(message);
    }
}

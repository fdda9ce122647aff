package dev.jacquard.cluster.communicator;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A message or a collective operation that cannot be completed. The message names both sides. */
public class CommunicationException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public CommunicationException(String message) {
        super(message);
    }

    public CommunicationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

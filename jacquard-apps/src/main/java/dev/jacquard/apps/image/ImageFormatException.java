package dev.jacquard.apps.image;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file that is not the grayscale TIFF that it should be. The message names the file, what is wrong, and what is read.
 */
public final class ImageFormatException extends IOException {
    private static final long serialVersionUID = 1;

    /** The message, kept so that it is known to exist. */
    private final String message;

    ImageFormatException(Path file, String reason) {
        this.message = file + ": " + reason;
    }

    ImageFormatException(Path file, String reason, Throwable cause) {
        super(cause);
        this.message = file + ": " + reason;
    }

    @Override
    public String getMessage() {
        return message;
    }
}

package dev.jacquard.components.program;

/**
 * Something the user gave cannot be used: a program file, a setting, an input file, the output folder. The message
 * names the input, its place, and a right value; the command line shows it alone and ends with exit code 2.
 */
public final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The message, kept so that it is known to exist. */
    private final String message;

    public InputException(String message) {
        this.message = message;
    }

    public InputException(String message, Throwable cause) {
        super(cause);
        this.message = message;
    }

    @Override
    public String getMessage() {
        return message;
    }
}

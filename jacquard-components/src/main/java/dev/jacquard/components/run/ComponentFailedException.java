package dev.jacquard.components.run;

/**
 * A component of a running program failed, and with it the program. The message names it as the program and its class
 * do, and says in which pass of which loops; the cause is the component's exception.
 */
public final class ComponentFailedException extends Exception {
    private static final long serialVersionUID = 1;

    ComponentFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    ComponentFailedException(String message) {
        super(message);
    }
}

package dev.jacquard.components.run;

/** Says in a message why the code of a component failed. */
final class Reasons {
    private Reasons() {}

    /** Returns what was thrown; its class alone if it cannot say more. */
    static String of(Throwable thrown) {
        try {
            return thrown instanceof ExceptionInInitializerError && thrown.getCause() != null
                    ? thrown + ": " + thrown.getCause()
                    : thrown.toString();
        } catch (RuntimeException | Error e) {
            return thrown.getClass().getName() + ", whose message cannot be read";
        }
    }
}

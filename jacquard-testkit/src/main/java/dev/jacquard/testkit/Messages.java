package dev.jacquard.testkit;

/** Checks the messages of errors. */
public final class Messages {
    private Messages() {}

    /**
     * Checks that the message of {@code error} has all of {@code parts}.
     *
     * @throws AssertionError when it lacks one
     */
    public static void assertMentions(Throwable error, String... parts) {
        String message = String.valueOf(error.getMessage());
        for (String part : parts) {
            if (!message.contains(part)) {
                throw new AssertionError("expected \"" + part + "\" in the message \"" + message + '"', error);
            }
        }
    }
}

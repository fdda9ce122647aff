package dev.jacquard.cluster.testing;

import dev.jacquard.cluster.communicator.Communicator;

/**
 * A check of the contract, which all ranks run.
 *
 * @param name of the behaviour
 * @param body the program of a rank
 */
public record Check(String name, Body body) {
    /** The program of a rank. */
    @FunctionalInterface
    public interface Body {
        /**
         * Runs on each rank, and throws an {@link AssertionError} if anything is not as it must be.
         *
         * @return the bits of the results, which must not depend on what carries the messages
         */
        Object run(Communicator comm) throws Exception;
    }

    static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void requireEqual(Object expected, Object actual, String what) {
        if (!expected.equals(actual)) {
            throw new AssertionError(what + ": expected " + expected + ", was " + actual);
        }
    }

    /** Runs an action that must fail, and returns its message. */
    static String failure(Class<? extends Exception> type, Action action) {
        try {
            action.run();
        } catch (Exception e) {
            require(type.isInstance(e), "expected " + type + ", but " + e);
            return String.valueOf(e.getMessage());
        }
        throw new AssertionError("expected " + type + ", and nothing was thrown");
    }

    /** An action. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    static void requireContains(String text, String... parts) {
        for (String part : parts) {
            require(text.contains(part), "expected '" + part + "' in: " + text);
        }
    }
}

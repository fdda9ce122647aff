package dev.jacquard.tools;

/** Runs programs one after the other by {@code ./jacquard java}; a start of the JVM for each takes longer. */
final class ExampleRunner {
    /** Printed before each program. */
    static final String RULE = "==== program ====\n";

    /** Printed after each program that has come to its end. */
    static final String OVER = "==== over ====\n";

    private ExampleRunner() {}

    /**
     * Runs programs until one fails.
     *
     * @param files the programs
     */
    public static void main(String[] files) {
        for (String file : files) {
            System.out.print(RULE);
            if (Main.runHere(new String[] {JavaCommand.NAME, file}) != 0) {
                return;
            }
            System.out.print(OVER);
        }
    }
}

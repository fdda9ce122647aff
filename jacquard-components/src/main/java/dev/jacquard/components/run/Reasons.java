package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;

/** Says in a message why the code of a component failed. */
final class Reasons {
    private Reasons() {}

    /** Returns the text of the throwable; its class alone if it cannot say more. */
    static String of(Throwable thrown) {
        try {
            return thrown instanceof ExceptionInInitializerError && thrown.getCause() != null
                    ? thrown + ": " + thrown.getCause()
                    : thrown.toString();
        } catch (RuntimeException | Error e) {
            return thrown.getClass().getName() + ", whose message cannot be read";
        }
    }

    /**
     * Returns the text of the throwable, with the first place in the code of the component's jar, if it comes from a
     * jar.
     */
    static String of(Throwable thrown, Component component) {
        ClassLoader jar = component.getClass().getClassLoader();
        if (jar == null || jar == Reasons.class.getClassLoader()) {
            return of(thrown);
        }
        for (StackTraceElement each : thrown.getStackTrace()) {
            if (isOf(jar, each.getClassName())) {
                String file = each.getFileName() == null ? "" : each.getFileName() + ":" + each.getLineNumber();
                return of(thrown) + ", at " + each.getClassName() + "." + each.getMethodName() + "(" + file + ")";
            }
        }
        return of(thrown);
    }

    private static boolean isOf(ClassLoader jar, String name) {
        try {
            return Class.forName(name, false, jar).getClassLoader() == jar;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}

package dev.jacquard.core.graph;

import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** The place in the user's code from which a task is submitted. */
final class CallSite {
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final String OURS = "dev.jacquard.";
    private static final String HERE = CallSite.class.getPackageName() + '.';
    /** The callers of a body: frames from there on are of code that runs the body, and have not submitted. */
    private static final String ENGINE = OURS + "engine.";

    /** False for classes of Jacquard's modules, and of the JDK. */
    private static final ClassValue<Boolean> IS_USERS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            ClassLoader loader = type.getClassLoader();
            boolean isOfJdk = loader == null || loader == ClassLoader.getPlatformClassLoader();
            return !isOfJdk && !isOurs(type, loader);
        }
    };

    private CallSite() {}

    /**
     * Returns the first frame in the user's code, in the form of a stack trace. A task that no code of the user
     * submits, as one that a task of Jacquard submits, has the first frame outside of this package.
     */
    static String now() {
        return first(frame -> IS_USERS.get(frame.getDeclaringClass()))
                .or(() -> first(frame -> !frame.getClassName().startsWith(HERE)))
                .orElse("an unknown place");
    }

    private static Optional<String> first(Predicate<StackFrame> wanted) {
        return STACK.walk(
                frames -> frames.takeWhile(frame -> !frame.getClassName().startsWith(ENGINE))
                        .filter(wanted)
                        .findFirst()
                        .map(frame -> frame.getClassName()
                                + '.'
                                + frame.getMethodName()
                                + '('
                                + frame.getFileName()
                                + ':'
                                + frame.getLineNumber()
                                + ')'));
    }

    /**
     * Returns true if a class is of a module of Jacquard: it lies where the description of its package lies. Classes of
     * tests may be in these packages, but lie elsewhere.
     */
    private static boolean isOurs(Class<?> type, ClassLoader loader) {
        if (!type.getName().startsWith(OURS)) {
            return false;
        }
        try {
            Class<?> description = Class.forName(type.getPackageName() + ".package-info", false, loader);
            return Objects.equals(location(type), location(description));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static String location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null || source.getLocation() == null
                ? ""
                : source.getLocation().toString();
    }
}

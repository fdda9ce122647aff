package dev.jacquard.tools;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** Runs programs one after the other, as the launcher would run each; a start of the JVM for each takes longer. */
final class ExampleRunner {
    /** Printed before each program. */
    static final String RULE = "==== program ====\n";

    /** Printed after each program that has come to its end. */
    static final String OVER = "==== over ====\n";

    private ExampleRunner() {}

    /**
     * Runs programs until one fails.
     *
     * @param arguments the names of the programs' classes
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        for (String name : arguments) {
            System.out.print(RULE);
            run(Class.forName(name));
            System.out.print(OVER);
        }
    }

    private static void run(Class<?> program) throws ReflectiveOperationException {
        Method main = Arrays.stream(program.getDeclaredMethods())
                .filter(method -> method.getName().equals("main"))
                .findFirst()
                .orElseThrow();
        main.setAccessible(true);
        Object instance = null;
        if (!Modifier.isStatic(main.getModifiers())) {
            Constructor<?> constructor = program.getDeclaredConstructor();
            constructor.setAccessible(true);
            instance = constructor.newInstance();
        }
        if (main.getParameterCount() == 0) {
            main.invoke(instance);
        } else {
            main.invoke(instance, (Object) new String[0]);
        }
    }
}

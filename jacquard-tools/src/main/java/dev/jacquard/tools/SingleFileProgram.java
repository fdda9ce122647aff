package dev.jacquard.tools;

import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import dev.jacquard.components.program.InputException;
import java.io.IOException;
import java.io.Writer;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A Java program that is one file, compiled in memory. The compiler finds our libraries as modules, so that the file
 * may import a module; the program runs on the class path of this process, as do all commands.
 *
 * <p>Threads: confined to the thread that compiles and runs it, which is the program's main thread.
 */
final class SingleFileProgram {
    private static final String SUFFIX = ".java";

    private final Path file;
    private final Class<?> program;

    private SingleFileProgram(Path file, Class<?> program) {
        this.file = file;
        this.program = program;
    }

    /**
     * Compiles a program.
     *
     * @param messages where the compiler writes its messages
     * @throws InputException if the file does not compile, or has no class
     * @throws IOException if the file cannot be read
     */
    static SingleFileProgram compile(Path file, Writer messages) throws IOException {
        if (!String.valueOf(file.getFileName()).endsWith(SUFFIX)) {
            throw new InputException(file + ": expected a Java program, a file whose name ends in " + SUFFIX);
        }
        @Nullable JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new InputException("this Java has no compiler: expected a JDK, not a runtime environment");
        }
        FirstClass first = new FirstClass();
        try (StandardJavaFileManager files =
                        compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
                CompiledClasses classes = new CompiledClasses(files)) {
            LibraryModules modules = OfProcess.MODULES;
            files.setLocationFromPaths(StandardLocation.MODULE_PATH, modules.path());
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of());
            List<String> options = List.of(
                    "-proc:none",
                    "-Xdiags:verbose",
                    "-Xlint:-incubating",
                    "--add-modules",
                    String.join(",", modules.roots()));
            JavacTask task = (JavacTask)
                    compiler.getTask(messages, classes, null, options, null, files.getJavaFileObjects(file));
            task.addTaskListener(first);
            if (!task.call()) {
                throw new InputException(file + ": does not compile");
            }
            if (first.name == null) {
                throw new InputException(file + ": has no class and no method; expected a program");
            }
            return new SingleFileProgram(file, classes.load(first.name));
        }
    }

    /**
     * Runs the program's {@code main}. An exception goes to the thread's handler of uncaught exceptions, which prints
     * it.
     *
     * @return false if the program threw
     * @throws InputException if it has no {@code main}
     */
    boolean run(String... arguments) throws ReflectiveOperationException {
        Method main = main();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(program.getClassLoader());
        try {
            Object instance = Modifier.isStatic(main.getModifiers()) ? null : instance();
            if (main.getParameterCount() == 0) {
                main.invoke(instance);
            } else {
                main.invoke(instance, (Object) arguments);
            }
            return true;
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getTargetException();
            thrown.setStackTrace(ofProgram(thrown.getStackTrace()));
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
            return false;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Chooses the method as the Java launcher does: one that takes arguments before one that takes none. */
    private Method main() {
        List<Method> candidates = Stream.<Class<?>>iterate(program, Objects::nonNull, Class::getSuperclass)
                .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
                .filter(method -> method.getName().equals("main") && !Modifier.isPrivate(method.getModifiers()))
                .toList();
        Optional<Method> main = candidates.stream()
                .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {String[].class}))
                .findFirst()
                .or(() -> candidates.stream()
                        .filter(method -> method.getParameterCount() == 0)
                        .findFirst());
        main.ifPresent(method -> method.setAccessible(true));
        return main.orElseThrow(() -> new InputException(file + ": class " + program.getName()
                + " has no main method; expected 'void main()' or 'public static void main(String[] args)'"));
    }

    private Object instance() throws ReflectiveOperationException {
        try {
            Constructor<?> constructor = program.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException e) {
            throw new InputException(
                    file + ": class " + program.getName()
                            + " has a main method that is not static, and no constructor without parameters",
                    e);
        }
    }

    /** Leaves out the frames below the program's own: this class, and reflection. */
    private static StackTraceElement[] ofProgram(StackTraceElement[] frames) {
        int end = frames.length;
        for (int i = 0; i < frames.length; i++) {
            if (frames[i].getClassName().equals(SingleFileProgram.class.getName())) {
                end = i;
                break;
            }
        }
        while (end > 0 && end < frames.length && frames[end - 1].getClassName().matches("(java|jdk\\.internal)\\..*")) {
            end--;
        }
        return Arrays.copyOf(frames, end);
    }

    /** Found when the first program is compiled. */
    private static final class OfProcess {
        static final LibraryModules MODULES = LibraryModules.ofClassPath(System.getProperty("java.class.path"));
    }

    /** Notes the first class of a file, which is the program. */
    private static final class FirstClass implements TaskListener {
        private @Nullable String name;

        @Override
        public void started(TaskEvent event) {
            if (event.getKind() == TaskEvent.Kind.ANALYZE && name == null && event.getTypeElement() != null) {
                name = event.getTypeElement().getQualifiedName().toString();
            }
        }
    }
}

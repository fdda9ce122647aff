package dev.jacquard.bench.graphs;

import dev.jacquard.bench.graphs.Shape.Work;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.Constructor;
import java.util.Set;

/**
 * The core as it would be without tracing: loads its classes a second time and turns each question whether a task is
 * traced into "no" before the virtual machine sees it.
 *
 * <p>Threads: the class loader's rules; the count of turned questions is for the thread that loads.
 */
final class Untraced extends ClassLoader {
    private static final Set<String> MODULES = Set.of("base", "engine", "insight", "memory", "core");
    private static final String TASK = "dev.jacquard.core.graph.TaskNode";
    private static final String RUNNER = JacquardTasks.class.getName();
    private static final String QUESTION = "timed";
    private static final String YES_OR_NO = "()Z";

    private final boolean asks;
    /** The number of questions that were turned. */
    private int turned;

    private Untraced(boolean asks) {
        super(Untraced.class.getClassLoader());
        this.asks = asks;
    }

    /**
     * Makes runners, each on its own core.
     *
     * @param asks whether the core keeps its questions; it is loaded in the same way if it does
     * @param spans how many a worker's trace keeps; 0 without a trace
     * @param window see {@link JacquardTasks}
     */
    static Shape.Maker maker(boolean asks, int spans, int window) {
        return (workers, shape, work) -> make(new Untraced(asks), workers, shape, work, spans, window);
    }

    private static Shape.Runner make(Untraced loader, Object... arguments) {
        try {
            Constructor<?> constructor = loader.loadClass(RUNNER)
                    .getDeclaredConstructor(int.class, Shape.class, Work.class, int.class, int.class);
            constructor.setAccessible(true);
            Shape.Runner runner = (Shape.Runner) constructor.newInstance(arguments);
            loader.loadClass(TASK); // which asks, and would be loaded only when it is first needed
            if (!loader.asks && loader.turned == 0) {
                throw new IllegalStateException("the core has no question called " + QUESTION + "() any more");
            }
            return runner;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the core could not be loaded a second time", e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            boolean ours = isOfTheCore(name) || name.equals(RUNNER);
            Class<?> loaded = ours ? findLoadedClass(name) : super.loadClass(name, resolve);
            return loaded == null ? define(name) : loaded;
        }
    }

    /** True if the class is of the core, or of a module that the core stands on. */
    private static boolean isOfTheCore(String name) {
        String[] parts = name.split("[.]", 4);
        return parts.length == 4 && name.startsWith("dev.jacquard.") && MODULES.contains(parts[2]);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] code = asks ? in.readAllBytes() : withoutQuestions(in.readAllBytes());
            return defineClass(name, code, 0, code.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class with each call of {@code timed()} replaced by {@code false}. */
    private byte[] withoutQuestions(byte[] code) {
        ClassFile files = ClassFile.of();
        CodeTransform no = (builder, element) -> {
            if (element instanceof InvokeInstruction call
                    && call.name().equalsString(QUESTION)
                    && call.type().equalsString(YES_OR_NO)) {
                builder.pop().iconst_0();
                turned++;
            } else {
                builder.with(element);
            }
        };
        return files.transformClass(files.parse(code), ClassTransform.transformingMethodBodies(no));
    }
}

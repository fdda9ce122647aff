package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.compiled.DeclaredAccesses;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.compiled.TaskChoice;
import dev.jacquard.core.compiled.TaskCondition;
import dev.jacquard.core.graph.AsyncFunction;
import dev.jacquard.core.graph.Checking;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Prefetch;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskFunction;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.Kernel.HostBody;
import dev.jacquard.core.kernel.KernelParameter;
import dev.jacquard.engine.Workers;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Contents;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every public method that users call tells at once which of its parameters was null, in place of failing later and
 * elsewhere.
 */
@Timeout(120)
class NullsTest {
    /** Types whose methods users call. Others are for the engine, or hold what it tells. */
    private static final List<Class<?>> TYPES = List.of(
            Session.class,
            SessionBuilder.class,
            DataManager.class,
            TaskGraph.class,
            TaskBuilder.class,
            TaskGroup.class,
            TaskContext.class,
            Task.class,
            UserView.class,
            Prefetch.class,
            Kernel.class,
            KernelParameter.class,
            Flag.class,
            Checking.class,
            WaitInterruptedException.class,
            CompiledGraph.class,
            CompiledGraphBuilder.class,
            Recorder.class,
            Recorder.Branches.class,
            Data.class,
            View.class,
            Box.class,
            Layout.class,
            Memory.class,
            Handle.class,
            Resource.class,
            Contents.class,
            AccessTable.class,
            AccessTable.Kind.class,
            Area.class,
            AreaAccess.class,
            Mode.class);

    /** For the engine and for policies: not called by users, and on paths that are hot. */
    private static final Set<String> ENGINES = Set.of(
            "Workers.submitted",
            "Workers.choose",
            "Workers.ready",
            "Workers.visit",
            "Workers.place",
            "Workers.runNow",
            "CompiledGraph.start(WorkerContext,Completion)",
            "Recorder.record",
            "CompiledGraphBuilder.new",
            "TaskGraph.new",
            "Mode.ofStranger",
            "Mode.conflictsWith",
            "Mode.covers",
            "Mode.valueOf",
            "AreaAccess.conflictsWith",
            "AreaAccess.covers",
            "Area.ranks",
            "Area.isInSpaceOf",
            "Area.intersects",
            "Area.contains",
            "Resource.isWithin",
            "Resource.isRelatedTo",
            "Handle.new",
            "Handle.isWithin",
            "Handle.isRelatedTo",
            "Data.isWithin",
            "Data.isRelatedTo",
            "Resource.tracker",
            "Handle.tracker",
            "Data.tracker",
            "Data.directory");

    private final Session session = Session.builder().workers(1).open();
    private final Data data = session.data().matrix("data", new double[16], 4, 4);
    private final Handle<int[]> handle = session.wrap("handle", new int[1]);
    private final List<String> wrong = new ArrayList<>();
    private int checked;

    @AfterEach
    void theSessionStillWorksAndCloses() {
        assertEquals(1, session.graph().task("last").call(context -> 1).join());
        session.close();
    }

    private TaskBuilder builder() {
        return session.graph().task("t");
    }

    private CompiledGraph compiled() {
        return session.record("compiled", recorder -> recorder.task("a").run(context -> {}));
    }

    /** Arguments for parameters that are not tested; made anew for each call. */
    private final Map<Class<?>, Supplier<?>> samples = Map.ofEntries(
            Map.entry(Session.class, () -> session),
            Map.entry(SessionBuilder.class, Session::builder),
            Map.entry(DataManager.class, session::data),
            Map.entry(TaskGraph.class, session::graph),
            Map.entry(TaskBuilder.class, this::builder),
            Map.entry(TaskGroup.class, () -> session.graph().group()),
            Map.entry(Task.class, () -> session.graph().task("r").run(context -> {})),
            Map.entry(Prefetch.class, () -> session.graph().prefetch(data)),
            Map.entry(Kernel.class, () -> Kernel.named("k").onHost(arguments -> {})),
            Map.entry(KernelParameter.class, () -> KernelParameter.any("p")),
            Map.entry(Flag.class, () -> Flag.named("f")),
            Map.entry(Checking.class, Checking::basic),
            Map.entry(CompiledGraph.class, this::compiled),
            Map.entry(CompiledGraphBuilder.class, () -> session.compile("c")),
            Map.entry(Data.class, () -> data),
            Map.entry(View.class, () -> data.rows(0, 1)),
            Map.entry(Box.class, () -> Box.whole(4, 4)),
            Map.entry(Layout.class, () -> Layout.of(DataType.FLOAT64, 4, 4)),
            Map.entry(
                    Memory.class,
                    () -> new Memory(MemorySegment.ofArray(new double[16]), Layout.of(DataType.FLOAT64, 4, 4))),
            Map.entry(Handle.class, () -> handle),
            Map.entry(Resource.class, () -> handle),
            Map.entry(
                    AccessTable.class,
                    () -> AccessTable.of(
                            List.of(new AccessTable.Kind("w", true, true), new AccessTable.Kind("none", false, false)),
                            new boolean[][] {{true, false}, {false, false}})),
            Map.entry(AccessTable.Kind.class, () -> new AccessTable.Kind("w", true, true)),
            Map.entry(Area.class, () -> Area.of(0, 1, 0, 1)),
            Map.entry(AreaAccess.class, () -> new AreaAccess(Mode.READ, Area.of(0, 1))),
            Map.entry(Mode.class, () -> Mode.READ),
            Map.entry(Access.class, () -> Mode.READ),
            Map.entry(String.class, () -> "text"),
            Map.entry(Object.class, () -> new int[1]),
            Map.entry(Class.class, () -> Integer.class),
            Map.entry(ExecutionTarget.class, () -> ExecutionTarget.HOST),
            Map.entry(Duration.class, () -> Duration.ofSeconds(1)),
            Map.entry(DataType.class, () -> DataType.FLOAT64),
            Map.entry(FailurePolicy.class, () -> FailurePolicy.CONTINUE),
            Map.entry(TaskBody.class, () -> (TaskBody) context -> {}),
            Map.entry(HostBody.class, () -> (HostBody) arguments -> {}),
            Map.entry(TaskFunction.class, () -> (TaskFunction<Integer>) context -> 1),
            Map.entry(AsyncFunction.class, () ->
                    (AsyncFunction<Integer>) context -> CompletableFuture.completedFuture(1)),
            Map.entry(TaskChoice.class, () -> (TaskChoice) context -> 0),
            Map.entry(TaskCondition.class, () -> (TaskCondition) context -> false),
            Map.entry(InterruptedException.class, InterruptedException::new),
            Map.entry(double[].class, () -> new double[16]),
            Map.entry(float[].class, () -> new float[16]),
            Map.entry(long[].class, () -> new long[] {4, 4}),
            Map.entry(int[].class, () -> new int[16]),
            Map.entry(boolean[][].class, () -> new boolean[][] {{true}}),
            Map.entry(List.class, () -> List.of(new AccessTable.Kind("w", true, true))),
            Map.entry(MemorySegment.class, () -> MemorySegment.ofArray(new double[16])),
            Map.entry(Number.class, () -> 1));

    @Test
    void everyParameterThatMustNotBeNullIsNamed() {
        for (Class<?> type : TYPES) {
            if (type == TaskContext.class
                    || type == UserView.class
                    || type == Recorder.class
                    || type == Recorder.Branches.class) {
                continue; // below: they are there only for a while
            }
            check(type, type.isInterface() ? null : samples.get(type));
        }
        check(Task.class, samples.get(Task.class));
        check(Workers.class, session::executor);
        TaskBuilder opens = session.graph().task("view").reads(data).reads(handle);
        try (UserView view = opens.open()) {
            check(UserView.class, () -> view);
        } catch (RuntimeException e) {
            wrong.add("view: " + e);
        }
        Throwable[] inside = new Throwable[1];
        session.graph()
                .task("context")
                .updates(handle)
                .run(context -> {
                    try {
                        check(TaskContext.class, () -> context);
                    } catch (Throwable e) {
                        inside[0] = e;
                    }
                })
                .join();
        assertEquals(null, inside[0]);
        session.compile("declared").task("t", context -> {}, declared -> check(DeclaredAccesses.class, () -> declared));
        session.record("recorder", recorder -> {
            check(Recorder.class, () -> recorder);
            Recorder.Branches branches = recorder.choose("choose", access -> {}, 1, context -> 0);
            check(Recorder.Branches.class, () -> branches);
        });
        assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
        assertTrue(checked > 150, () -> "only " + checked + " parameters were found");
    }

    private void check(Class<?> type, @Nullable Supplier<?> instance) {
        List<Executable> all = new ArrayList<>(Arrays.asList(type.getMethods()));
        if (!Modifier.isAbstract(type.getModifiers()) && instance != null) {
            all.addAll(Arrays.asList(type.getConstructors()));
        }
        for (Executable one : all) {
            boolean ours = one.getDeclaringClass().getName().startsWith("dev.jacquard.");
            boolean object = one.getName().equals("equals") || one.isSynthetic();
            if (ours
                    && !object
                    && !isEngines(type, one)
                    && (instance != null || Modifier.isStatic(one.getModifiers()))) {
                check(type, one, instance);
            }
        }
    }

    private static boolean isEngines(Class<?> type, Executable one) {
        String name = type.getSimpleName() + '.' + (one instanceof Constructor ? "new" : one.getName());
        String signature = name
                + '('
                + String.join(
                        ",",
                        Arrays.stream(one.getParameterTypes())
                                .map(Class::getSimpleName)
                                .toList())
                + ')';
        return ENGINES.contains(name) || ENGINES.contains(signature);
    }

    private void check(Class<?> type, Executable one, @Nullable Supplier<?> instance) {
        AnnotatedType[] types = one.getAnnotatedParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (one.getParameterTypes()[i].isPrimitive() || types[i].isAnnotationPresent(Nullable.class)) {
                continue;
            }
            checked++;
            call(type, one, instance, i, false);
            if (one.isVarArgs()
                    && i == types.length - 1
                    && !one.getParameterTypes()[i].getComponentType().isPrimitive()) {
                call(type, one, instance, i, true);
            }
        }
    }

    @SuppressWarnings("NullAway") // which is what it is about
    private void call(Class<?> type, Executable one, @Nullable Supplier<?> instance, int missing, boolean element) {
        Object[] arguments = new Object[one.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> wanted = one.getParameterTypes()[i];
            if (i != missing) {
                arguments[i] = one.isVarArgs() && i == arguments.length - 1 && wanted != long[].class
                        ? java.lang.reflect.Array.newInstance(wanted.getComponentType(), 0)
                        : sample(wanted);
            } else if (element) {
                arguments[i] = java.lang.reflect.Array.newInstance(wanted.getComponentType(), 1);
            }
        }
        String parameter = one.getParameters()[missing].getName();
        String what = type.getSimpleName() + '.' + one.getName() + "(... "
                + one.getParameterTypes()[missing].getSimpleName() + ' ' + parameter + (element ? "[0]" : "") + "): ";
        try {
            if (one instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                ((Method) one).setAccessible(true);
                ((Method) one)
                        .invoke(
                                Modifier.isStatic(one.getModifiers())
                                        ? null
                                        : Objects.requireNonNull(instance).get(),
                                arguments);
            }
            wrong.add(what + "accepted");
        } catch (InvocationTargetException e) {
            Throwable told = Objects.requireNonNull(e.getCause());
            String message = String.valueOf(told.getMessage());
            if (!(told instanceof NullPointerException)
                    || message.startsWith("Cannot ")
                    || !message.contains(parameter)) {
                wrong.add(what + told);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            wrong.add(what + "not called: " + e);
        }
    }

    private Object sample(Class<?> type) {
        if (type == boolean.class) {
            return false;
        } else if (type == int.class) {
            return 1;
        } else if (type == long.class) {
            return 4L;
        } else if (type == double.class) {
            return 1.0;
        } else if (samples.containsKey(type)) {
            return Objects.requireNonNull(samples.get(type)).get();
        } else if (type.isEnum()) {
            return type.getEnumConstants()[0];
        } else if (type.isInterface()) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> null);
        }
        throw new IllegalArgumentException("no sample of " + type);
    }
}

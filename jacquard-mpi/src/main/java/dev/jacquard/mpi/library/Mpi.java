package dev.jacquard.mpi.library;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.NativeEnvironment;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.base.foreign.NativeMemory;
import dev.jacquard.base.foreign.SignalHandlers;
import dev.jacquard.cluster.communicator.CommunicationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A library of MPI that is started.
 *
 * @param functions may be called by the threads that {@code level} allows
 * @param world the communicator for messages of ours, a duplicate of all processes
 * @param users the communicator for users' libraries, another duplicate
 * @param tagLimit the highest tag
 * @param name such as {@code Open MPI 4.1.4}
 * @param file the file of the library
 */
public record Mpi(
        MpiFunctions functions,
        Abi abi,
        long world,
        long users,
        int rank,
        int size,
        int tagLimit,
        ThreadLevel level,
        String name,
        String file) {
    private static final Pattern VERSION = Pattern.compile("(Open MPI) v(\\S+?),|(MPICH) Version:\\s*(\\S+)");
    /** The least that the standard promises. */
    private static final int LEAST_TAG_LIMIT = 32767;

    /** UCX replaces the handlers of signals that these list. */
    private static final List<String> SIGNALS_OF_UCX = List.of("UCX_ERROR_SIGNALS", "UCX_DEBUG_SIGNO");

    /**
     * Loads the library and starts it. The handlers of signals are afterwards the same as before.
     *
     * @throws CommunicationException if there is none, or it does not fit the launcher
     */
    public static Mpi start(Map<String, String> environment, Launched launched) {
        requireHandlers();
        if (NativeEnvironment.isSettable()) {
            SIGNALS_OF_UCX.forEach(name -> NativeEnvironment.set(name, ""));
        }
        SignalHandlers saved = SignalHandlers.save();
        Mpi mpi;
        try {
            NativeLibrary library = library(environment, launched);
            saved.restore();
            mpi = start(library);
        } finally {
            saved.restore();
        }
        try {
            launched.requireFits(mpi.name + " (" + mpi.file + ")", mpi.implementation(), mpi.rank, mpi.size);
        } catch (CommunicationException e) {
            mpi.functions.finish();
            throw e;
        }
        return mpi;
    }

    private static void requireHandlers() {
        if (SignalHandlers.unsupported().isEmpty() && SignalHandlers.handler(SignalHandlers.SEGV) == 0) {
            throw new CommunicationException(
                    "the handler of signal SEGV is not the JVM's but the system's default, so a library has replaced"
                            + " it, and the JVM cannot go on safely: open communication before that library is loaded");
        }
    }

    private static NativeLibrary library(Map<String, String> environment, Launched launched) {
        String choice = environment.getOrDefault(Launched.CHOICE, "").strip();
        Found<NativeLibrary> found;
        if (choice.indexOf('/') >= 0) {
            found = file(choice);
        } else {
            found = Implementation.first(choice.isEmpty() ? launched.implementations() : chosen(choice), environment);
        }
        NativeLibrary library = found.thing();
        if (library == null) {
            throw new CommunicationException(launched.launch().launcher() + " started this process as one of "
                    + launched.launch().size() + " ranks, and there is no MPI library that can be used: "
                    + found.reason());
        }
        return library;
    }

    private static Found<NativeLibrary> file(String choice) {
        try {
            return Found.of(NativeLibrary.load(Path.of(choice)));
        } catch (IllegalStateException e) {
            return Found.absent(Launched.CHOICE + "=" + choice + ": " + e.getMessage());
        }
    }

    private static List<Implementation> chosen(String choice) {
        for (Implementation each : Implementation.values()) {
            if (each.key().equals(choice)) {
                return List.of(each);
            }
        }
        throw new CommunicationException("the environment variable " + Launched.CHOICE + " is '" + choice
                + "'; expected openmpi, mpich, abi or the path of a library");
    }

    /** Binds and starts a library. */
    static Mpi start(NativeLibrary library) {
        Abi abi = Abi.of(library);
        Found<MpiFunctions> found = Found.of(library).map(its -> bind(its, abi));
        MpiFunctions functions = found.thing();
        if (functions == null) {
            throw new CommunicationException("the MPI library " + found.reason());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            String name = name(functions, abi, arena);
            functions.start(MemorySegment.NULL, MemorySegment.NULL, abi.levels().getLast(), result);
            ThreadLevel level = ThreadLevel.of(abi, result.get(ValueLayout.JAVA_INT, 0));
            functions.setErrorHandler(abi.world(), abi.errorsReturn());
            functions.rank(abi.world(), result);
            int rank = result.get(ValueLayout.JAVA_INT, 0);
            functions.size(abi.world(), result);
            int size = result.get(ValueLayout.JAVA_INT, 0);
            int tagLimit = tagLimit(functions, abi, arena);
            long ours = duplicate(functions, abi, result);
            long users = duplicate(functions, abi, result);
            return new Mpi(functions, abi, ours, users, rank, size, tagLimit, level, name, library.name());
        }
    }

    private static MpiFunctions bind(NativeLibrary library, Abi abi) {
        Binding<MpiErrors> texts = Binding.of(MethodHandles.lookup(), MpiErrors.class);
        MpiErrors errors = texts.to(library);
        Binding<MpiFunctions> calls =
                Binding.of(MethodHandles.lookup(), MpiFunctions.class).failing(errors::failure);
        return (abi.narrow() ? calls.narrow() : calls).to(library);
    }

    private static String name(MpiFunctions functions, Abi abi, Arena arena) {
        MemorySegment text = arena.allocate(Abi.LONGEST_TEXT);
        functions.version(text, arena.allocate(ValueLayout.JAVA_INT));
        String all = text.getString(0);
        Matcher matcher = VERSION.matcher(all);
        if (matcher.find()) {
            return matcher.group(1) == null
                    ? matcher.group(3) + " " + matcher.group(4)
                    : matcher.group(1) + " " + matcher.group(2);
        }
        String first = all.lines().findFirst().orElse("").strip();
        return first.isEmpty() ? "a library of " + abi.name() : first;
    }

    private static int tagLimit(MpiFunctions functions, Abi abi, Arena arena) {
        MemorySegment pointer = arena.allocate(ValueLayout.JAVA_LONG);
        MemorySegment flag = arena.allocate(ValueLayout.JAVA_INT);
        functions.attribute(abi.world(), abi.tagLimit(), pointer, flag);
        if (flag.get(ValueLayout.JAVA_INT, 0) == 0) {
            return LEAST_TAG_LIMIT;
        }
        return NativeMemory.of(pointer.get(ValueLayout.JAVA_LONG, 0), Integer.BYTES, arena)
                .get(ValueLayout.JAVA_INT, 0);
    }

    private static long duplicate(MpiFunctions functions, Abi abi, MemorySegment result) {
        functions.duplicate(abi.world(), result);
        long its = abi.handle(result);
        functions.setErrorHandler(its, abi.errorsReturn());
        return its;
    }

    private @Nullable Implementation implementation() {
        for (Implementation each : Implementation.values()) {
            if (name.startsWith(each.title())) {
                return each;
            }
        }
        return null;
    }

    /**
     * Makes a communicator of some ranks. Collective over these.
     *
     * @return its handle
     */
    public long createGroup(int... ranks) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            functions.group(users, result);
            long all = abi.handle(result);
            MemorySegment some = arena.allocate(ValueLayout.JAVA_LONG);
            functions.include(all, ranks.length, arena.allocateFrom(ValueLayout.JAVA_INT, ranks), some);
            functions.freeGroup(result);
            MemorySegment comm = arena.allocate(ValueLayout.JAVA_LONG);
            functions.createGroup(users, abi.handle(some), 0, comm);
            functions.freeGroup(some);
            return abi.handle(comm);
        }
    }

    /** Frees a communicator. */
    public void free(long comm) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(ValueLayout.JAVA_LONG);
            abi.setHandle(memory, comm);
            functions.free(memory);
        }
    }
}

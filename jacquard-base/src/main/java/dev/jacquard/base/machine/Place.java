package dev.jacquard.base.machine;

import java.util.Objects;

/**
 * Where tasks run: the host's workers together or one of them, the main thread, the threads of a target, or a device.
 * Everything that sends a task somewhere names a place, from its submission to the memory that its data is in.
 *
 * <p>Places are compared by identity. {@link #HOST} and {@link #MAIN} are the same in every session, the others belong
 * to one. Immutable.
 */
public final class Place {
    /** The name of the memory that all places but devices share. */
    public static final String HOST_MEMORY = "host";
    /** Any worker of the host. */
    public static final Place HOST = new Place(ExecutionTarget.HOST, "host", HOST_MEMORY, 0);
    /** The main thread of the session. */
    public static final Place MAIN = new Place(ExecutionTarget.HOST, "the main thread", HOST_MEMORY, 1);
    /** The first number that {@link #HOST} and {@link #MAIN} leave to others. */
    public static final int FIRST_NUMBER = 2;

    private final ExecutionTarget kind;
    private final String name;
    private final String memory;
    private final int number;
    private final boolean device;

    private Place(ExecutionTarget kind, String name, String memory, int number) {
        this.kind = Objects.requireNonNull(kind, "kind");
        this.name = Objects.requireNonNull(name, "name");
        this.memory = Objects.requireNonNull(memory, "memory");
        this.number = number;
        this.device = !memory.equals(HOST_MEMORY);
    }

    /**
     * A device with its own memory.
     *
     * @param kind the kind that its kernels are written for
     * @param name the name that users give it; tasks are sent there {@code on(ExecutionTarget.named(name))}
     * @param number one for each place of a session, from {@link #FIRST_NUMBER} on
     */
    public static Place device(ExecutionTarget kind, String name, int number) {
        return new Place(kind, name, name, number);
    }

    /** The threads that serve {@code target} alone; numbered like {@linkplain #device devices}. */
    public static Place threads(ExecutionTarget target, int number) {
        return new Place(target, target.name(), HOST_MEMORY, number);
    }

    /** One of the host's workers, numbered from 0 among them. */
    public static Place worker(int index) {
        return new Place(ExecutionTarget.HOST, "worker " + index, HOST_MEMORY, index);
    }

    /** Returns the kind of implementations that run here. */
    public ExecutionTarget kind() {
        return kind;
    }

    /** Returns the name of the place, for users and messages. */
    public String name() {
        return name;
    }

    /** Returns the name of the memory that holds the data of tasks here. */
    public String memory() {
        return memory;
    }

    /** Returns the number of the place: among the workers for a worker, else among the places of the session. */
    public int number() {
        return number;
    }

    /** Returns true if the place has its own memory. */
    public boolean isDevice() {
        return device;
    }

    /** Returns true if the place is called {@code wanted} or is of that kind. */
    public boolean is(ExecutionTarget wanted) {
        return wanted.equals(kind) || wanted.name().equals(name);
    }

    @Override
    public String toString() {
        return name;
    }
}

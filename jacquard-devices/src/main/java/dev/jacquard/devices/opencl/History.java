package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jacquard.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The newest commands of a stream, with the count of each one's event, so that a failure can be traced to the command
 * that failed first.
 *
 * <p>A command that makes room for a newer one is asked whether it failed. One that is still under way then is
 * forgotten: where more than that many commands are under way, a failure may have lost its name, but not its effect.
 *
 * <p>Threads: the stream's adds; any may ask.
 */
final class History {
    private static final int KEPT = 64;

    private final String stream;

    /** Guards the fields below, but for writes of {@code failure}, which happen under it and are read without. */
    private final Object lock = new Object();

    private final Command[] ring = new Command[KEPT];
    private final MemorySegment status;
    private long count;

    private volatile @Nullable Failure failure;

    /**
     * Why a stream goes no further.
     *
     * @param task the first task that failed
     * @param status the driver's
     * @param other the stream with the failure that this one waited for, if that was the cause
     */
    record Failure(String task, int status, @Nullable History other) {}

    /** A command, in fields that are used again. */
    private static final class Command {
        long event;
        String verb = "";
        String subject = "";
        long bytes;

        @Nullable
        History other;
    }

    /**
     * @param stream device and stream, for messages
     * @param arena borrowed; must outlive this
     */
    History(String stream, Arena arena) {
        this.stream = stream;
        this.status = arena.allocate(JAVA_INT);
        Arrays.setAll(ring, i -> new Command());
    }

    /** A command in words: {@code launch kernel "axpy"}. */
    static String task(String verb, String subject, long bytes) {
        String what = subject.isEmpty() ? verb : verb + " \"" + subject + '"';
        return bytes == 0 ? what : what + " " + bytes + " bytes";
    }

    /**
     * One more command.
     *
     * @param event owned by this from now on
     * @param verb its action
     * @param subject the object of the action; empty where that says nothing
     * @param bytes how much; 0 where that says nothing
     * @param other the stream it waits for
     */
    void add(long event, String verb, String subject, long bytes, @Nullable History other) {
        synchronized (lock) {
            Command command = ring[(int) (count++ % KEPT)];
            if (command.event != 0) {
                note(command);
                release(command);
            }
            command.event = event;
            command.verb = verb;
            command.subject = subject;
            command.bytes = bytes;
            command.other = other;
        }
    }

    /** The driver refused a command because of an earlier failure, here or in {@code other}. */
    void refused(String task, @Nullable History other) {
        synchronized (lock) {
            find();
            if (failure == null) {
                failure = new Failure(task, ClStatus.EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, other);
            }
        }
    }

    /** Returns the failure that is known without asking the driver, or null. */
    @Nullable
    Failure known() {
        return failure;
    }

    /** The exception for a place with an event that has failed with {@code eventStatus}. */
    DeviceException exception(int eventStatus) {
        return exception(found(eventStatus));
    }

    /** The exception for a known failure; one of another stream is reported as that. */
    DeviceException exception(Failure first) {
        StringBuilder message = new StringBuilder();
        History where = this;
        Failure what = first;
        // No lock is held here: histories that wait for each other could not wait for each other's locks.
        for (int hops = 0; hops < 8 && what.other() != null; hops++) {
            message.append(where.stream).append(" waited for ");
            where = what.other();
            what = where.found(what.status());
        }
        message.append(where.stream)
                .append(message.isEmpty() ? "" : ", which")
                .append(" could not ")
                .append(what.task())
                .append(": ")
                .append(ClStatus.name(what.status()));
        return ClStatus.failure(what.status(), message.toString());
    }

    /** Gives all events back; after that nothing is known any more but the failure. */
    void close() {
        synchronized (lock) {
            find();
            for (Command command : ring) {
                if (command.event != 0) {
                    release(command);
                }
            }
        }
    }

    private Failure found(int otherwise) {
        synchronized (lock) {
            find();
            Failure first = failure;
            return first == null ? new Failure("do one of many commands", otherwise, null) : first;
        }
    }

    /** Looks for the first failure, from the oldest command on. Under the lock. */
    private void find() {
        for (long i = Math.max(0, count - KEPT); i < count && failure == null; i++) {
            Command command = ring[(int) (i % KEPT)];
            if (command.event != 0) {
                note(command);
            }
        }
    }

    private void note(Command command) {
        if (failure == null) {
            int now = EventCells.status(command.event, status);
            if (now < 0) {
                failure = new Failure(task(command.verb, command.subject, command.bytes), now, command.other);
            }
        }
    }

    private void release(Command command) {
        long event = command.event;
        command.event = 0;
        command.other = null;
        ClStatus.check(CL.clReleaseEvent(event), stream, "release an event");
    }
}

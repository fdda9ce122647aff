package dev.jacquard.engine.work;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A task that knows which order of a policy holds it: the base of all tasks that go through a
 * {@link dev.jacquard.engine.schedule.PolicyGuard}. A task may enter an order again once it was taken out.
 *
 * <p>Threads: any.
 */
public abstract class GuardedTask implements ReadyTask {
    /** In no order: never entered one, or was taken out. */
    private static final short NEW = -1;

    private static final short TAKEN = -2;
    private static final VarHandle ORDER = Fields.handle(MethodHandles.lookup(), "order", short.class);

    /** The mark of the policy's order that holds it; NEW, TAKEN. Written when it is put in; taken out by CAS. */
    @SuppressWarnings("unused") // through ORDER
    private short order = NEW;

    /** For subclasses. */
    protected GuardedTask() {}

    /** For guards: the task goes into the order of that mark, 0 to 32,767. */
    public final void enter(int mark) {
        ORDER.setRelease(this, (short) mark); // pairs with the CAS in leave()
    }

    /**
     * For guards: the task was taken out of the order of that mark. False, and nothing changed, when it was not in it.
     */
    public final boolean leave(int mark) {
        return ORDER.compareAndSet(this, (short) mark, TAKEN);
    }

    /** For guards: returns true if the task is in the order of that mark. For messages. */
    public final boolean isIn(int mark) {
        return (short) ORDER.getAcquire(this) == mark;
    }

    /** For guards: where the task is that is in none of the guard's orders, for messages. */
    public final String whereabouts() {
        return switch ((short) ORDER.getAcquire(this)) {
            case NEW -> "was never ready";
            case TAKEN -> "was taken out before";
            default -> "was never ready here: it belongs to another session or graph, which must have its own order";
        };
    }
}

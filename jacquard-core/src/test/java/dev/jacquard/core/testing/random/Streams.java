package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Streams that a module above makes and runs, whose bodies submit the tasks of random programs.
 *
 * <p>Threads: any.
 */
public interface Streams {
    /**
     * Runs a stream in a session that is open, and returns when nothing of it runs any more.
     *
     * @param work what bodies do
     * @return what ended it early; null when it ran to its end
     * @throws IllegalStateException when items are lost
     */
    @Nullable
    Exception run(Shape stream, Session session, Work work);

    /** The work of all items. Threads: those of the stream. */
    interface Work {
        /**
         * Executes an item.
         *
         * @param own the tasks of the item, with which it is done; null for tasks that are not its own
         */
        void execute(int item, @Nullable Tasks own, Components.Control control) throws Exception;

        /** The tasks of an item are over. */
        void over(int item);
    }

    /**
     * What a stream is made of: two tasks behind a gate, which lets an item pass when those are done that it waits for.
     *
     * @param seed says in which order the items are sent, and how tasks take them
     * @param copies of the task whose bodies do not wait
     * @param waiting copies of the task whose bodies may wait, on threads of their own
     * @param buffers the data that bodies take from an edge; 0 for none
     * @param bound how many items may wait at the input; 0 for any
     * @param items in a serial order
     */
    record Shape(long seed, int copies, int waiting, int buffers, int bound, List<Item> items)
            implements Composition.Form {
        /** The bytes of each of the buffers. */
        public static final int BUFFER_BYTES = 64;

        @Override
        public String text() {
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "stream: %d copies, %d that may wait, %d buffers, bound %d\n",
                    copies,
                    waiting,
                    buffers,
                    bound));
            for (int i = 0; i < items.size(); i++) {
                text.append("  ").append(i).append(' ').append(items.get(i)).append('\n');
            }
            return text.toString();
        }
    }

    /**
     * An item.
     *
     * @param waits whether its body may wait
     * @param owns whether it submits jobs as tasks of its own
     * @param takes whether its body takes a buffer, for tasks of its own
     * @param behind the items that are done before
     */
    record Item(boolean waits, boolean owns, boolean takes, List<Integer> behind) {}
}

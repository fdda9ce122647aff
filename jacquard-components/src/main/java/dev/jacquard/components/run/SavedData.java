package dev.jacquard.components.run;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.base.codec.CheckpointWriter.Transfer;
import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.run.DataHead.Home;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data that the values of a checkpoint refer to, by numbers: each is saved once, however many values have it, and
 * is one data of the session again when the program goes on.
 *
 * <pre>
 *  saving     values --write--> numbers           then save: an entry for each data, one for its elements
 *  restoring  restore: the data is made again     then values --read--> data of these numbers
 * </pre>
 *
 * <p>Confined to the thread that saves or restores.
 */
final class SavedData implements Codec<Data> {
    private final IdentityHashMap<Data, Integer> numbers = new IdentityHashMap<>();
    private final List<Data> all = new ArrayList<>();
    private final Codecs codecs = Codecs.standard().with(this);

    /** Returns the codecs of values that may have data in them. */
    Codecs codecs() {
        return codecs;
    }

    @Override
    public Class<Data> type() {
        return Data.class;
    }

    @Override
    public void write(Data data, Output to) throws IOException {
        Integer number = numbers.get(data);
        if (number == null) {
            number = all.size();
            numbers.put(data, number);
            all.add(data);
        }
        to.writeInt(number);
    }

    @Override
    public Data read(Input from) throws IOException {
        int number = from.readInt();
        if (number < 0 || number >= all.size()) {
            throw new IOException("data of the number " + number + " is stored, and there is data of the numbers 0 to "
                    + (all.size() - 1));
        }
        return all.get(number);
    }

    private static String elementsOf(int number) {
        return "elements of data " + number;
    }

    // ---- saving

    /**
     * Saves all data that values have referred to, after the tasks that write it.
     *
     * @throws IOException if some was freed, is another session's, or was not written because a task failed
     */
    void save(CheckpointWriter out, Session session) throws IOException {
        for (int number = 0; number < all.size(); number++) {
            Data data = all.get(number);
            try {
                save(number, data, out, session);
            } catch (IllegalArgumentException | IllegalStateException | TaskFailedException e) {
                throw new IOException(
                        "data \"" + data.name() + "\" cannot be saved in a checkpoint: " + e.getMessage(), e);
            }
        }
    }

    private static void save(int number, Data data, CheckpointWriter out, Session session) throws IOException {
        if (data.isFreed()) {
            throw new IllegalStateException(
                    "it was freed, and a source or a kept value still has it; free it when it is not needed any more");
        }
        try (UserView view = opened(data, session)) {
            out.writeValue("data " + number, DataHead.CODEC, DataHead.of(data, view != null));
            if (view != null) {
                long bytes = data.layout().elements() * data.layout().type().bytes();
                out.writeBytes(elementsOf(number), bytes, transfer -> move(view.memory(data), transfer));
            }
        }
    }

    /** Waits for the tasks that write data, and opens it; null if there is none of them, so that it has no elements. */
    static @Nullable UserView opened(Data data, Session session) {
        try {
            return session.data().open(data, Mode.READ);
        } catch (TaskFailedException e) {
            // The data of a failed task is something else: then the message has that task.
            boolean isOfView = e.task().equals("view of " + data.name());
            if (isOfView && session.data().query(data).where().parts().stream().allMatch(part -> part.version() == 0)) {
                return null;
            }
            throw e;
        }
    }

    // ---- restoring

    /**
     * Makes all data of a checkpoint again.
     *
     * @throws IOException if the stored data cannot be right
     */
    void restore(CheckpointReader in, Session session) throws IOException {
        for (int number = 0; in.names().contains("data " + number); number++) {
            all.add(restored(number, in.readValue("data " + number, DataHead.CODEC), in, session));
        }
    }

    private static Data restored(int number, DataHead head, CheckpointReader in, Session session) throws IOException {
        Layout layout = head.layout();
        if (!head.isWritten() && head.home() == Home.NONE) {
            return session.data().of(head.name(), layout);
        }
        long bytes = layout.elements() * layout.type().bytes();
        if (in.bytes(elementsOf(number)) != bytes) { // before memory is taken
            throw new IOException("data \"" + head.name() + "\" of " + layout + " has " + bytes
                    + " bytes of elements, and " + in.bytes(elementsOf(number)) + " are stored");
        }
        MemorySegment home = head.memory(layout);
        if (home != null) {
            in.readBytes(elementsOf(number), home);
            return session.data().home(head.name(), layout, home);
        }
        Data data = session.data().of(head.name(), layout);
        try (UserView view = session.data().open(data, Mode.WRITE)) {
            in.readBytes(elementsOf(number), bytes, transfer -> move(view.memory(data), transfer));
        }
        return data;
    }

    // ---- elements

    /** Hands over the elements in their order: row by row where there are gaps. */
    static void move(Memory memory, Transfer transfer) throws IOException {
        Layout layout = memory.layout();
        if (layout.isPacked()) {
            transfer.move(memory.segment().asSlice(0, layout.bytes()));
            return;
        }
        int last = layout.dimensions() - 1;
        int size = layout.type().bytes();
        long[] row = new long[layout.dimensions()];
        int dimension;
        do {
            transfer.move(memory.segment().asSlice(layout.offset(row) * size, layout.extent(last) * size));
            dimension = last - 1;
            while (dimension >= 0 && ++row[dimension] == layout.extent(dimension)) {
                row[dimension--] = 0;
            }
        } while (dimension >= 0);
    }
}

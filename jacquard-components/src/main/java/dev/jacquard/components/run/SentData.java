package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.run.DataHead.Home;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Data of a session as a part of a message: its layout and its elements, after the tasks that write it. The receiver
 * gets a copy, as data of the receiver's session.
 *
 * <p>Threads: any.
 */
final class SentData implements Codec<Data> {
    /** The bytes that are copied at once. */
    private static final int PIECE = 1 << 16;

    private final Session session;

    SentData(Session session) {
        this.session = session;
    }

    /** Returns the codecs of values that may have data in them. */
    Codecs codecs() {
        return Codecs.standard().with(this);
    }

    @Override
    public Class<Data> type() {
        return Data.class;
    }

    @Override
    public void write(Data data, Output to) throws IOException {
        if (data.isFreed()) {
            throw new IOException(
                    "data \"" + data.name() + "\" was freed; free it when no other rank reads it any more");
        }
        try (UserView view = SavedData.opened(data, session)) {
            DataHead.CODEC.write(DataHead.of(data, view != null), to);
            if (view != null) {
                byte[] piece = new byte[PIECE];
                SavedData.move(view.memory(data), part -> {
                    for (long at = 0; at < part.byteSize(); at += PIECE) {
                        int length = (int) Math.min(PIECE, part.byteSize() - at);
                        MemorySegment.copy(part, ValueLayout.JAVA_BYTE, at, piece, 0, length);
                        to.write(piece, 0, length);
                    }
                });
            }
        } catch (IllegalArgumentException | IllegalStateException | TaskFailedException e) {
            throw new IOException("data \"" + data.name() + "\" cannot be sent: " + e.getMessage(), e);
        }
    }

    @Override
    public Data read(Input from) throws IOException {
        DataHead head = DataHead.CODEC.read(from);
        requireElements(head, from);
        MemorySegment home = head.isWritten() || head.home() != Home.NONE ? head.memory(head.layout()) : null;
        Data data = home == null
                ? session.data().of(head.name(), head.layout())
                : session.data().home(head.name(), head.layout(), home);
        if (head.isWritten()) {
            try (UserView view = session.data().open(data, Mode.WRITE)) {
                byte[] piece = new byte[PIECE];
                SavedData.move(view.memory(data), part -> {
                    for (long at = 0; at < part.byteSize(); at += PIECE) {
                        int length = (int) Math.min(PIECE, part.byteSize() - at);
                        from.readFully(piece, 0, length);
                        MemorySegment.copy(piece, 0, part, ValueLayout.JAVA_BYTE, at, length);
                    }
                });
            }
        }
        return data;
    }

    /** Refuses a layout of more elements than follow, before memory is taken for them. */
    private static void requireElements(DataHead head, Input from) throws IOException {
        Layout layout = head.layout();
        long bytes = layout.elements() * layout.type().bytes();
        if (head.isWritten() && bytes > from.left()) {
            throw new IOException("data \"" + head.name() + "\" of " + layout + " has " + bytes
                    + " bytes of elements, and " + from.left() + " follow");
        }
    }
}

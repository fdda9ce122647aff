package dev.jacquard.cluster.message;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Elements;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Values as the contents of messages: the name of their class, so that the wrong one is named, and their bytes. */
final class Values {
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED;

    private Values() {}

    static <T> Elements write(Codec<T> codec, T value) {
        Objects.requireNonNull(value, "a value to send is null");
        byte[] name = codec.type().getTypeName().getBytes(StandardCharsets.UTF_8);
        long head = (long) Integer.BYTES + name.length;
        MemorySegment[] all = {MemorySegment.NULL};
        try {
            Codecs.write(codec, value, (bytes, _) -> {
                all[0] = Buffers.allocate(head + bytes);
                return all[0].asSlice(head);
            });
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "a value of " + codec.type().getTypeName() + " cannot be sent: " + e.getMessage(), e);
        }
        all[0].set(LENGTH, 0, name.length);
        MemorySegment.copy(MemorySegment.ofArray(name), 0, all[0], Integer.BYTES, name.length);
        return Elements.of(all[0], ValueLayout.JAVA_BYTE);
    }

    /** Returns the value of a message that has come. */
    static <T> T read(RankCommunicator communicator, Codec<T> codec, WholeReceive receive) {
        Envelope envelope = Objects.requireNonNull(receive.envelope);
        MemorySegment bytes = Objects.requireNonNull(receive.bytes);
        if (envelope.kind() != Envelope.VALUE) {
            throw misfit(communicator, envelope, envelope.content(), codec, null);
        }
        long room = bytes.byteSize() - Integer.BYTES;
        int length = room < 0 ? -1 : bytes.get(LENGTH, 0);
        if (length < 0 || length > room) {
            throw misfit(communicator, envelope, "a damaged value", codec, null);
        }
        String name =
                new String(bytes.asSlice(Integer.BYTES, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        if (!name.equals(codec.type().getTypeName())) {
            throw misfit(communicator, envelope, "a value of " + name, codec, null);
        }
        try {
            return Codecs.read(codec, bytes.asSlice((long) Integer.BYTES + length));
        } catch (IOException | RuntimeException e) {
            throw misfit(communicator, envelope, "a value of " + name + " that cannot be read (" + e + ")", codec, e);
        }
    }

    private static CommunicationException misfit(
            RankCommunicator communicator,
            Envelope envelope,
            String content,
            Codec<?> codec,
            @org.jspecify.annotations.Nullable Throwable cause) {
        return new CommunicationException(
                "rank " + envelope.source() + " sent " + content + " with tag " + envelope.tag() + ", and rank "
                        + communicator.rank() + " receives a value of "
                        + codec.type().getTypeName() + communicator.where(),
                cause);
    }
}

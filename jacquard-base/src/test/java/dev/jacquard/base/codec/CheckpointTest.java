package dev.jacquard.base.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.codec.CheckpointReader.RefusedException;
import dev.jacquard.testkit.Messages;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads again what was written; refuses files that are damaged, cut or of something else, and says where. */
class CheckpointTest {
    private static final String HEAT = "heat on 8x8 cells";

    @TempDir
    Path folder;

    private Path small() throws IOException {
        Path file = folder.resolve("small");
        try (CheckpointWriter out = CheckpointWriter.create(file, HEAT)) {
            out.writeLong("step", 50);
            out.writeText("note", "µ");
            out.writeBytes("T", MemorySegment.ofArray(new byte[] {1, 2, 3}));
            out.commit();
        }
        return file;
    }

    /** Reads all that there is in it. */
    private static void readAll(Path file) throws IOException {
        try (CheckpointReader in = CheckpointReader.open(file, HEAT)) {
            assertEquals(List.of("step", "note", "T"), List.copyOf(in.names()));
            assertEquals(50, in.readLong("step"));
            assertEquals("µ", in.readText("note"));
            byte[] content = new byte[3];
            in.readBytes("T", MemorySegment.ofArray(content));
            assertArrayEquals(new byte[] {1, 2, 3}, content);
        }
    }

    private static String refused(Path file) {
        return String.valueOf(
                assertThrows(RefusedException.class, () -> readAll(file)).getMessage());
    }

    /** The bytes were made by another program, from the description of the format alone. */
    @Test
    void theFormatIsThatOfVersionOne() throws IOException {
        String bytes = "894a51430d0a1a0a010000001100000068656174206f6e203878382063656c6c73538091cf010000"
                + "00040000000800000000000000737465708c8354503200000000000000e924269703000000040000"
                + "0002000000000000006e6f7465ce6300c0c2b5141d14550400000001000000030000000000000054"
                + "e4dd501f0102031ef230f100000000000000000300000000000000831d3499";
        assertEquals(bytes, HexFormat.of().formatHex(Files.readAllBytes(small())));
    }

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        Path file = folder.resolve("values");
        double nan = Double.longBitsToDouble(0x7ff8_0000_dead_beefL);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment large = arena.allocate(3_000_001);
            new Random(7).ints(large.byteSize(), 0, 256).limit(large.byteSize()).forEach(new Fill(large)::next);
            try (CheckpointWriter out = CheckpointWriter.create(file, "ä model")) {
                out.writeBytes("large", large);
                out.writeDouble("nan", nan);
                out.writeText("empty", "");
                out.writeLong("least", Long.MIN_VALUE);
                out.writeBytes("doubles", MemorySegment.ofArray(new double[] {1, -2, 3}));
                out.writeBytes("nothing", MemorySegment.NULL);
                out.commit();
            }
            try (CheckpointReader in = CheckpointReader.open(file, "ä model")) {
                in.check();
                assertEquals(Long.MIN_VALUE, in.readLong("least"));
                assertEquals(Double.doubleToRawLongBits(nan), Double.doubleToRawLongBits(in.readDouble("nan")));
                assertEquals("", in.readText("empty"));
                double[] doubles = new double[3];
                in.readBytes("doubles", MemorySegment.ofArray(doubles));
                assertArrayEquals(new double[] {1, -2, 3}, doubles);
                in.readBytes("nothing", MemorySegment.NULL);
                assertEquals(3_000_001, in.bytes("large"));
                MemorySegment again = arena.allocate(large.byteSize());
                in.readBytes("large", again);
                assertEquals(-1, large.mismatch(again));
            }
        }
    }

    private static final class Fill {
        private final MemorySegment memory;
        private long at;

        Fill(MemorySegment memory) {
            this.memory = memory;
        }

        void next(int value) {
            memory.set(ValueLayout.JAVA_BYTE, at++, (byte) value);
        }
    }

    @Test
    void piecesMakeUpOneEntryWhateverTheirSizes() throws IOException {
        byte[] all = new byte[1_000_000];
        new Random(3).nextBytes(all);
        MemorySegment memory = MemorySegment.ofArray(all);
        Path file = folder.resolve("pieces");
        Random sizes = new Random(4);
        try (CheckpointWriter out = CheckpointWriter.create(file, HEAT)) {
            out.writeBytes("pieces", all.length, to -> {
                for (long at = 0; at < all.length; ) {
                    long count = Math.min(all.length - at, sizes.nextInt(3) == 0 ? 400_000 : sizes.nextInt(100));
                    to.move(memory.asSlice(at, count));
                    at += count;
                }
            });
            out.writeBytes("whole", memory);
            out.commit();
        }
        try (CheckpointReader in = CheckpointReader.open(file, HEAT)) {
            byte[] whole = new byte[all.length];
            in.readBytes("pieces", MemorySegment.ofArray(whole));
            assertArrayEquals(all, whole);
            byte[] again = new byte[all.length];
            in.readBytes("whole", all.length, from -> {
                from.move(MemorySegment.ofArray(again).asSlice(0, 17));
                from.move(MemorySegment.ofArray(again).asSlice(17));
            });
            assertArrayEquals(all, again);
        }
    }

    @Test
    void damageOfAnyByteIsFound() throws IOException {
        Path file = small();
        readAll(file);
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at++) {
            for (int damage : new int[] {0x01, 0x80, 0xff}) {
                byte[] damaged = bytes.clone();
                damaged[at] ^= (byte) damage;
                Files.write(file, damaged);
                int place = at;
                RefusedException e = assertThrows(
                        RefusedException.class, () -> readAll(file), () -> "byte " + place + " ^ " + damage);
                Messages.assertMentions(e, file.toString());
            }
        }
    }

    @Test
    void damagedContentsAreFoundByTheCheckOfAll() throws IOException {
        Path file = small();
        byte[] bytes = Files.readAllBytes(file);
        int content = bytes.length - 20 - Integer.BYTES - 3;
        assertEquals(2, bytes[content + 1]);
        bytes[content + 1] = 7;
        Files.write(file, bytes);
        try (CheckpointReader in = CheckpointReader.open(file, HEAT)) {
            RefusedException e = assertThrows(RefusedException.class, in::check);
            Messages.assertMentions(
                    e, file + " is damaged: entry \"T\", 3 bytes from offset " + content + " on, has the checksum ");
        }
    }

    @Test
    void aFileThatIsCutAnywhereIsRefused() throws IOException {
        Path file = small();
        byte[] bytes = Files.readAllBytes(file);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            String message = refused(file);
            assertTrue(
                    message.startsWith(file + (length < Head.MAGIC.length ? " is no checkpoint" : " is cut: ")),
                    message);
        }
    }

    @Test
    void aCutEntryIsNamedWithItsPlace() throws IOException {
        Path file = small();
        byte[] bytes = Files.readAllBytes(file);
        int content = bytes.length - 20 - Integer.BYTES - 3;
        Files.write(file, Arrays.copyOf(bytes, content + 1));
        assertEquals(
                file + " is cut: entry \"T\", 3 bytes from offset " + content
                        + " on, is followed by a checksum, and the file ends at " + (content + 1),
                refused(file));
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 20));
        assertEquals(
                file + " is cut: what follows entry \"T\" has 16 bytes or more from offset " + (bytes.length - 20)
                        + " on, and the file ends at " + (bytes.length - 20),
                refused(file));
    }

    @Test
    void anEntryThatWasTakenOutIsMissed() throws IOException {
        Path file = small();
        byte[] bytes = Files.readAllBytes(file);
        int last = bytes.length - 20;
        int taken = Head.ENTRY_BYTES + 1 + Integer.BYTES + 3 + Integer.BYTES;
        byte[] without = Arrays.copyOf(bytes, bytes.length - taken);
        System.arraycopy(bytes, last, without, last - taken, 20);
        Files.write(file, without);
        assertEquals(
                file + " is damaged: its end (offset " + (last - taken) + ") counts 3 entries, and there are 2",
                refused(file));
    }

    @Test
    void whatFollowsTheEndIsRefused() throws IOException {
        Path file = small();
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length + 5));
        assertEquals(
                file + " is damaged: its end is at offset " + bytes.length + ", and 5 bytes follow", refused(file));
    }

    @Test
    void whatIsOfAnotherModelIsRefusedWithBothNamed() throws IOException {
        Path file = small();
        assertEquals(
                file + " is a checkpoint of \"" + HEAT + "\", not of \"heat on 16x16 cells\": give the one of this"
                        + " program, or start without it",
                assertThrows(RefusedException.class, () -> CheckpointReader.open(file, "heat on 16x16 cells"))
                        .getMessage());
    }

    @Test
    void otherFilesAndVersionsAreRefused() throws IOException {
        Path file = small();
        byte[] bytes = Files.readAllBytes(file);
        bytes[Head.MAGIC.length] = 2;
        Files.write(file, bytes);
        assertEquals(file + " has the format version 2 (offset 8); this program reads version 1", refused(file));
        Files.writeString(file, "PNG");
        assertEquals(
                file + " is no checkpoint: it begins with the bytes \"50 4e 47\", not \"89 4a 51 43 0d 0a 1a 0a\"",
                refused(file));
    }

    @Test
    void wrongQuestionsAreAnswered() throws IOException {
        Path file = small();
        try (CheckpointReader in = CheckpointReader.open(file, HEAT)) {
            assertEquals(
                    file + " has no entry \"steps\"; did you mean 'step'?",
                    assertThrows(RefusedException.class, () -> in.readLong("steps"))
                            .getMessage());
            Messages.assertMentions(
                    assertThrows(RefusedException.class, () -> in.readDouble("step")),
                    "\"step\"",
                    " is of the type long, not double");
            Messages.assertMentions(
                    assertThrows(RefusedException.class, () -> in.readBytes("T", MemorySegment.ofArray(new byte[4]))),
                    "entry \"T\", 3 bytes",
                    "into 4 bytes");
            assertThrows(IllegalStateException.class, () -> in.readBytes("T", 3, from -> {}));
            assertThrows(
                    IllegalStateException.class,
                    () -> in.readBytes("T", 3, from -> from.move(MemorySegment.ofArray(new byte[4]))));
            assertThrows(IllegalStateException.class, () -> in.readBytes("T", 3, from -> in.readLong("step")));
            assertEquals(50, in.readLong("step"), "a failed question spoils nothing");
        }
    }

    @Test
    void wrongEntriesAreRefused() throws IOException {
        Path file = folder.resolve("wrong");
        try (CheckpointWriter out = CheckpointWriter.create(file, HEAT)) {
            out.writeLong("a", 1);
            assertThrows(IllegalArgumentException.class, () -> out.writeLong("a", 2));
            assertThrows(IllegalArgumentException.class, () -> out.writeLong(" ", 2));
            assertThrows(IllegalArgumentException.class, () -> out.writeBytes("b", -1, to -> {}));
            out.writeLong("c", 3);
            assertThrows(IllegalStateException.class, () -> out.writeBytes("d", 2, to -> {}));
            assertThrows(IllegalStateException.class, out::commit);
        }
        assertThrows(IllegalArgumentException.class, () -> CheckpointWriter.create(file, ""));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void entriesAreNotWrittenWithinOthers() throws IOException {
        try (CheckpointWriter out = CheckpointWriter.create(folder.resolve("nested"), HEAT)) {
            assertThrows(IllegalStateException.class, () -> out.writeBytes("b", 8, to -> out.writeLong("a", 1)));
        }
    }

    /** It would come back as another text. */
    @Test
    void halfOfASurrogatePairIsRefused(@TempDir Path here) throws IOException {
        try (CheckpointWriter out = CheckpointWriter.create(here.resolve("file"), "texts")) {
            out.writeText("whole", "a\ud83d\ude00b");
            assertThrows(IOException.class, () -> out.writeText("half", "a\ud83db"));
        }
    }
}

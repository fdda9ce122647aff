package dev.jacquard.components.run;

import dev.jacquard.base.codec.Codec;
import dev.jacquard.base.codec.Codecs;
import dev.jacquard.components.run.FileCopies.Copy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A file, folder or link of the output folder, as a checkpoint has it.
 *
 * @param path within the output folder, with slashes
 * @param kind of it
 * @param rights as in {@code rwxr-x---}; empty where there are none
 * @param target of a link; else empty
 * @param copy of a file; else one without bytes
 */
record SavedFile(String path, Kind kind, String rights, String target, Copy copy) {
    static final Codec<List<SavedFile>> ALL = new OfLists();

    /** The copy of an entry that is no file. */
    static final Copy NONE = new Copy(0, 0, 0);

    /** A kind of entry in a folder. */
    enum Kind {
        FILE,
        FOLDER,
        LINK
    }

    private static final class OfLists implements Codec<List<SavedFile>> {
        private static final Codec<String> TEXT = Codecs.standard().of(String.class);
        private static final Codec<Kind> KIND = Codecs.standard().of(Kind.class);
        /** Three empty texts, the shortest name of a kind, three numbers. */
        private static final int LEAST_BYTES = 4 * Integer.BYTES + 4 + 3 * Long.BYTES;

        @Override
        @SuppressWarnings("unchecked") // the class of all lists
        public Class<List<SavedFile>> type() {
            return (Class<List<SavedFile>>) (Class<?>) List.class;
        }

        @Override
        public void write(List<SavedFile> files, Output to) throws IOException {
            to.writeInt(files.size());
            for (SavedFile file : files) {
                TEXT.write(file.path, to);
                KIND.write(file.kind, to);
                TEXT.write(file.rights, to);
                TEXT.write(file.target, to);
                to.writeLong(file.copy.number());
                to.writeLong(file.copy.bytes());
                to.writeLong(file.copy.sum());
            }
        }

        @Override
        public List<SavedFile> read(Input from) throws IOException {
            List<SavedFile> files = new ArrayList<>();
            for (int left = from.readLength(LEAST_BYTES); left > 0; left--) {
                files.add(new SavedFile(
                        TEXT.read(from),
                        KIND.read(from),
                        TEXT.read(from),
                        TEXT.read(from),
                        new Copy(from.readLong(), from.readLong(), from.readLong())));
            }
            return files;
        }
    }
}

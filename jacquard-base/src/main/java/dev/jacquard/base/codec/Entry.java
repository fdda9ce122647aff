package dev.jacquard.base.codec;

/**
 * An entry of a file, as its head says.
 *
 * @param name the name
 * @param type the type
 * @param offset the place of its content in the file
 * @param bytes the length of its content; the checksum follows
 */
record Entry(String name, EntryType type, long offset, long bytes) {
    /** Returns the place of the next entry. */
    long end() {
        return offset + bytes + Integer.BYTES;
    }

    @Override
    public String toString() {
        return "entry \"" + name + "\", " + bytes + (bytes == 1 ? " byte" : " bytes") + " from offset " + offset
                + " on,";
    }
}

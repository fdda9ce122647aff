/**
 * Files in which programs keep their state, to go on from it later: named values with a checksum each, which take the
 * place of an earlier file whole or not at all. Values of types become bytes by explicit codecs alone, never by Java's
 * serialization.
 *
 * <pre>
 *  values, memory --> CheckpointWriter --> AtomicFile (next to its place) --> commit --> the file
 *  values of types --> Codec (of Codecs, or a service) --> CheckpointWriter, or bytes
 *  the file --> CheckpointReader (format, identity, every head) --> values, memory (checked as they are read)
 * </pre>
 *
 * <p>The format, version 1; numbers are little-endian, checksums are CRC-32C:
 *
 * <pre>
 *  file     head entry* end
 *  head     89 'J' 'Q' 'C' 0D 0A 1A 0A | int version | int length, identity in UTF-8 | int checksum of all before it
 *  entry    int type | int length of the name | long length of the content | name in UTF-8 | int checksum of these
 *           content | int checksum of the content
 *  end      int 0 | int 0 | long number of entries | int checksum of these; nothing follows it
 *  type     1 long | 2 double | 3 text in UTF-8 | 4 bytes
 * </pre>
 *
 * <p>The output of a codec is the content of an entry of bytes: numbers and lengths are big-endian, as in
 * {@code DataOutput}, elements of arrays little-endian. An array of primitives is its length and its elements; a list
 * its length and its elements; an array of other values has a byte before each element, 0 if it is null; a text is its
 * length in bytes and UTF-8; a record its components.
 *
 * <p>To add a codec: one class that implements {@link dev.jacquard.base.codec.Codec}, named as a service.
 *
 * <p>To add a type of entries: a constant of {@code EntryType}, a method of the writer and one of the reader. A file
 * that earlier versions cannot read has another format version.
 *
 * <p>Imports: {@code base.service}, {@code base.text}.
 */
@NullMarked
package dev.jacquard.base.codec;

import org.jspecify.annotations.NullMarked;

/**
 * Files in which programs keep their state, to go on from it later: named values with a checksum each, which take the
 * place of an earlier file whole or not at all.
 *
 * <pre>
 *  values, memory --> CheckpointWriter --> AtomicFile (beside its place) --> commit --> the file
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
 * <p>To add a type of entries: a constant of {@code EntryType}, a method of the writer and one of the reader. What
 * earlier versions cannot read has another format version.
 *
 * <p>Imports: {@code base.text}.
 */
@NullMarked
package dev.jacquard.base.codec;

import org.jspecify.annotations.NullMarked;

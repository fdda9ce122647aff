/**
 * Machines as hwloc describes them: its files in XML, versions 2 and 3, and the library where it is installed.
 *
 * <pre>
 *  file or stream --HwlocReader--> Machine --HwlocWriter--> file
 *  libhwloc (Hwloc) --its XML--> HwlocReader --> Machine.current()
 * </pre>
 *
 * <p>The reader is the one way from XML to a machine. It is made for files of strangers: nothing is fetched or
 * expanded, and size, depth and memory have limits.
 *
 * <p>Imports: {@code base.foreign}, {@code base.machine}.
 */
@NullMarked
package dev.jacquard.libraries.hwloc;

import org.jspecify.annotations.NullMarked;

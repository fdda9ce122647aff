package dev.jacquard.libraries.hwloc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jacquard.base.foreign.Binding;
import dev.jacquard.base.foreign.Binding.IfPresent;
import dev.jacquard.base.foreign.Binding.Symbol;
import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.base.foreign.NativeMemory;
import dev.jacquard.base.machine.Machine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The library hwloc, version 2 or 3, that describes this machine. It is asked for its XML, which our reader reads; it
 * never reads a file of a user, and binds no thread.
 *
 * <p>Threads: any; each call has its own topology.
 */
final class Hwloc {
    private static final int OLDEST = 0x20000;
    private static final int KEEP_ALL = 0;
    private static final int KEEP_IMPORTANT = 3;
    private static final long BLACKLIST = 1;

    /** Variables that let hwloc describe another machine, by a parser that is not ours. */
    private static final List<String> OTHER_MACHINES =
            List.of("HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT", "HWLOC_CPUID_PATH");

    /** Components that load drivers: devices are found by {@code jacquard-devices}, and some drivers hang. */
    private static final List<String> DRIVERS = List.of("gl", "opencl", "cuda", "nvml", "rsmi", "levelzero");

    private final Functions functions;
    private final int version;

    /** The functions that are called; all but the first return 0, or -1 where they fail. */
    interface Functions {
        @Symbol("hwloc_get_api_version")
        int version();

        @Symbol("hwloc_topology_init")
        int init(MemorySegment topology);

        @Symbol("hwloc_topology_set_io_types_filter")
        int keepDevices(MemorySegment topology, int filter);

        @Symbol("hwloc_topology_set_icache_types_filter")
        int keepInstructionCaches(MemorySegment topology, int filter);

        @IfPresent
        @Symbol("hwloc_topology_set_components")
        default int setComponents(MemorySegment topology, long flags, MemorySegment name) {
            return 0; // before 2.1 these components were there only where they were installed apart
        }

        @Symbol("hwloc_topology_load")
        int load(MemorySegment topology);

        @Symbol("hwloc_topology_is_thissystem")
        int isThisSystem(MemorySegment topology);

        @Symbol("hwloc_topology_export_xmlbuffer")
        int export(MemorySegment topology, MemorySegment text, MemorySegment length, long flags);

        @Symbol("hwloc_free_xmlbuffer")
        void free(MemorySegment topology, MemorySegment text);

        @Symbol("hwloc_topology_destroy")
        void destroy(MemorySegment topology);
    }

    private Hwloc(NativeLibrary library) {
        functions = Binding.of(MethodHandles.lookup(), Functions.class).to(library);
        version = functions.version();
        if (version < OLDEST) {
            throw new IllegalStateException("it is version " + text(version) + "; expected 2 or 3");
        }
    }

    /** Describes this machine by hwloc, where it is installed. */
    public static final class Provider implements Machine.Source {
        @Override
        public Machine describe() throws IOException {
            Optional<String> other = otherMachine(System.getenv());
            if (other.isPresent()) {
                throw new IOException(
                        "hwloc is not asked, since " + other.get() + " is set, which names another machine");
            }
            Hwloc hwloc = Holder.FOUND.thing();
            if (hwloc == null) {
                throw new IOException("hwloc is not there: " + Holder.FOUND.reason());
            }
            Machine machine = HwlocFile.read(new ByteArrayInputStream(hwloc.xml()), hwloc.toString())
                    .machine();
            String source = machine.details().infos().stream()
                    .filter(info -> info.name().equals("hwlocVersion"))
                    .map(info -> "hwloc " + info.value())
                    .findFirst()
                    .orElse(hwloc.toString()); // the version of the interface may be older than the library's
            return Machine.of(machine.draft(), machine.details().from(source, true));
        }
    }

    /** Returns the variable of the environment that lets hwloc describe another machine, if one is set. */
    static Optional<String> otherMachine(Map<String, String> environment) {
        return OTHER_MACHINES.stream().filter(environment::containsKey).findFirst();
    }

    /** Returns the library, or the reason of its absence. */
    static Found<Hwloc> found() {
        return Holder.FOUND;
    }

    /** Loads it when it is first needed. */
    private static final class Holder {
        static final Found<Hwloc> FOUND = LibrarySearch.named(
                        "libhwloc.so.25", "libhwloc.so.15", "libhwloc.so", "libhwloc.dylib", "libhwloc-15.dll")
                .help("on Debian: apt-get install libhwloc15")
                .find()
                .map(Hwloc::new);
    }

    /** Returns this machine as hwloc exports it. */
    byte[] xml() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ADDRESS);
            require("hwloc_topology_init", functions.init(pointer));
            MemorySegment topology = pointer.get(ADDRESS, 0);
            try {
                return export(topology, arena);
            } finally {
                functions.destroy(topology);
            }
        }
    }

    private byte[] export(MemorySegment topology, Arena arena) throws IOException {
        functions.keepDevices(topology, KEEP_IMPORTANT);
        functions.keepInstructionCaches(topology, KEEP_ALL);
        for (String driver : DRIVERS) {
            functions.setComponents(topology, BLACKLIST, arena.allocateFrom(driver)); // -1: has no such component
        }
        require("hwloc_topology_load", functions.load(topology));
        if (functions.isThisSystem(topology) != 1) {
            throw new IOException(this + " describes another machine than this one");
        }
        MemorySegment text = arena.allocate(ADDRESS);
        MemorySegment length = arena.allocate(JAVA_INT);
        require("hwloc_topology_export_xmlbuffer", functions.export(topology, text, length, 0));
        MemorySegment address = text.get(ADDRESS, 0);
        try {
            int bytes = length.get(JAVA_INT, 0) - 1; // with a zero at the end
            return NativeMemory.of(address.address(), bytes, arena).toArray(ValueLayout.JAVA_BYTE);
        } finally {
            functions.free(topology, address);
        }
    }

    private void require(String function, int status) throws IOException {
        if (status < 0) {
            throw new IOException(this + " cannot describe this machine: " + function + " failed");
        }
    }

    private static String text(int version) {
        return (version >> 16) + "." + (version >> 8 & 0xff) + "." + (version & 0xff);
    }

    @Override
    public String toString() {
        return "hwloc " + text(version);
    }
}

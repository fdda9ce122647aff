package dev.jacquard.libraries.hwloc;

import dev.jacquard.base.machine.IndexSet;
import dev.jacquard.base.machine.MachineDetails.Distances;
import dev.jacquard.base.machine.MachineDetails.MemoryAttribute;
import dev.jacquard.base.machine.MachineDraft;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.libraries.hwloc.HwlocFile.MalformedException;
import dev.jacquard.libraries.hwloc.HwlocFile.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements that refer to objects: distances, and attributes of memories. The objects are known, since they
 * come first in a file; one without a number gets the next. Confined to the thread that reads.
 */
final class ReferenceReader {
    private static final int NUMBER_BYTES = 32;
    private static final int VALUE_BYTES = 160;

    private final XmlElements xml;
    private final Version version;
    private final List<PendingDistances> pendingDistances = new ArrayList<>();
    private final List<PendingAttribute> pendingAttributes = new ArrayList<>();
    private final Map<String, Long> ids = new HashMap<>();
    private final Map<String, MachineDraft> objects = new HashMap<>();

    /** Distances with the names of their objects: type, {@code os} or {@code gp}, number. */
    private record PendingDistances(String name, long kind, List<String> objects, List<Long> values, int line) {}

    private record PendingAttribute(String name, long flags, List<PendingValue> values) {}

    /** A value with the names of its objects. */
    private record PendingValue(
            String target,
            @Nullable String initiator,
            @Nullable IndexSet cpus,
            long value,
            int line) {}

    ReferenceReader(XmlElements xml, Version version) {
        this.xml = xml;
        this.version = version;
    }

    /** Reads the element of distances that begins. */
    void readDistances() throws IOException {
        boolean mixed = xml.name().equals("distances2hetero");
        int line = xml.line();
        String name = xml.get("name", "");
        long kind = xml.number("kind", 0);
        long count = xml.number("nbobjs", 0);
        String prefix = mixed ? "" : xml.get("type") + " " + xml.get("indexing", "os") + " ";
        List<String> its = new ArrayList<>();
        List<Long> values = new ArrayList<>();
        while (xml.next() && xml.begins()) {
            switch (xml.name()) {
                case "indexes" -> {
                    for (String index : words()) {
                        xml.take(VALUE_BYTES);
                        its.add(mixed ? index.replace(":", " gp ") : prefix + index);
                    }
                }
                case "u64values" -> {
                    for (String value : words()) {
                        values.add(xml.parse("u64values", value, ReferenceReader::value, "numbers from 0 on"));
                    }
                }
                default -> xml.skip();
            }
        }
        if (its.size() != count || values.size() != count * count) {
            throw xml.malformed("distances of " + count + " objects with " + its.size() + " indexes and "
                    + values.size() + " values; expected " + count + " and " + count * count);
        }
        boolean wasLatency = version == Version.V2 && name.equals(HwlocNames.HOPS);
        pendingDistances.add(new PendingDistances(
                name, wasLatency ? (kind & ~HwlocNames.LATENCY_BIT) | HwlocNames.HOPS_BIT : kind, its, values, line));
    }

    private static long value(String digits) {
        long value = Long.parseLong(digits);
        if (value < 0) {
            throw new NumberFormatException(digits);
        }
        return value;
    }

    private List<String> words() throws IOException {
        String text = xml.text().strip();
        if (text.isEmpty()) {
            return List.of();
        }
        xml.take((long) NUMBER_BYTES * (1 + text.length() / 2));
        return List.of(text.split("\\s+", -1));
    }

    /** Reads the element of a memory's attribute that begins. */
    void readMemoryAttribute() throws IOException {
        String name = xml.get("name", "");
        long flags = xml.number("flags", 0);
        List<PendingValue> values = new ArrayList<>();
        while (xml.next() && xml.begins()) {
            if (xml.name().equals("memattr_value")) {
                xml.take(VALUE_BYTES);
                String initiator = xml.find("initiator_obj_type");
                values.add(new PendingValue(
                        xml.get("target_obj_type") + " gp " + xml.get("target_obj_gp_index"),
                        initiator == null ? null : initiator + " gp " + xml.get("initiator_obj_gp_index"),
                        xml.set("initiator_cpuset"),
                        xml.number("value", 0),
                        xml.line()));
            }
            xml.skip();
        }
        pendingAttributes.add(new PendingAttribute(name, flags, values));
    }

    /** Gives numbers to the objects that have none, and notes all. */
    void number(MachineDraft root) {
        long[] next = {1};
        HwlocReader.visit(root, (object, _) -> next[0] = Math.max(next[0], object.id() + 1));
        HwlocReader.visit(root, (object, _) -> {
            if (object.id() == 0) {
                object.id(next[0]++);
            }
            note(object, "gp", object.id());
            note(object, "os", object.osIndex());
        });
    }

    private void note(MachineDraft object, String indexing, long index) {
        if (index >= 0 && !(object.kind() == Kind.MISC)) {
            String name = object.kind() + " " + indexing + " " + index;
            ids.putIfAbsent(name, object.id());
            objects.putIfAbsent(name, object);
        }
    }

    private long id(String name, int line) throws MalformedException {
        Long id = ids.get(name);
        if (id == null) {
            throw xml.malformed(
                    "an object \"" + name.replace(" gp ", ":") + "\" is referred to, which is not there", line);
        }
        return id;
    }

    List<Distances> distances() throws MalformedException {
        List<Distances> all = new ArrayList<>();
        for (PendingDistances its : pendingDistances) {
            List<Long> found = new ArrayList<>();
            for (String name : its.objects) {
                found.add(id(name, its.line));
            }
            all.add(new Distances(its.name, its.kind, found, its.values));
        }
        return all;
    }

    List<MemoryAttribute> memoryAttributes() throws MalformedException {
        List<MemoryAttribute> all = new ArrayList<>();
        for (PendingAttribute its : pendingAttributes) {
            List<MemoryAttribute.Value> values = new ArrayList<>();
            for (PendingValue value : its.values) {
                IndexSet cpus = value.cpus;
                if (value.initiator != null) {
                    id(value.initiator, value.line);
                    MachineDraft initiator = objects.get(value.initiator);
                    cpus = initiator == null ? null : initiator.sets().cpus();
                }
                values.add(new MemoryAttribute.Value(id(value.target, value.line), cpus, value.value));
            }
            all.add(new MemoryAttribute(its.name, its.flags, values));
        }
        return all;
    }
}

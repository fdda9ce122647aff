package dev.jacquard.base.machine;

import dev.jacquard.base.machine.MachineObject.DeviceKind;
import dev.jacquard.base.machine.MachineObject.Info;
import dev.jacquard.base.machine.MachineObject.Kind;
import dev.jacquard.base.machine.MachineObject.Property;
import dev.jacquard.base.machine.MachineObject.Sets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** An object of a machine that is being described. Threads: confined; objects made of it do not change with it. */
public final class MachineDraft {
    final Kind kind;
    long id;
    int osIndex = -1;
    String name = "";
    String subtype = "";
    Sets sets = Sets.NONE;
    final Set<DeviceKind> deviceKinds = EnumSet.noneOf(DeviceKind.class);
    final SortedMap<String, Object> properties = new TreeMap<>();
    final List<Info> infos = new ArrayList<>();
    final List<MachineDraft> children = new ArrayList<>();

    public MachineDraft(Kind kind) {
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    /** Returns the kind of the object. */
    public Kind kind() {
        return kind;
    }

    /** Returns the number that identifies the object; 0 if it gets the next. */
    public long id() {
        return id;
    }

    /** Returns the number that the operating system gives the object; -1 if it gives none. */
    public int osIndex() {
        return osIndex;
    }

    /** Returns the name; empty if there is none. */
    public String name() {
        return name;
    }

    /** Returns the text that refines the kind; may be empty. */
    public String subtype() {
        return subtype;
    }

    /** Returns the processors and NUMA nodes. */
    public Sets sets() {
        return sets;
    }

    /** Returns the pairs of texts so far, in order; the list is the draft's. */
    public List<Info> infos() {
        return infos;
    }

    /** Returns the children so far, in order; the list is the draft's. */
    public List<MachineDraft> children() {
        return children;
    }

    /** Sets the number that identifies the object within the machine, from 1 on; without one it gets the next. */
    public MachineDraft id(long unique) {
        id = unique;
        return this;
    }

    /** Sets the number that the operating system gives the object. */
    public MachineDraft osIndex(int index) {
        osIndex = index;
        return this;
    }

    /** Sets the name, such as {@code eth0}. */
    public MachineDraft name(String text) {
        name = text;
        return this;
    }

    /** Sets a text that refines the kind, such as {@code CUDA}. */
    public MachineDraft subtype(String text) {
        subtype = text;
        return this;
    }

    /** Sets the processors and NUMA nodes. */
    public MachineDraft sets(Sets all) {
        sets = all;
        return this;
    }

    /** Sets the processors, with all of them usable. */
    public MachineDraft cpus(IndexSet cpus) {
        return sets(new Sets(cpus, cpus, sets.nodes(), sets.completeNodes()));
    }

    /** Adds uses of an {@link Kind#OS_DEVICE}. */
    public MachineDraft deviceKinds(Set<DeviceKind> kinds) {
        deviceKinds.addAll(kinds);
        return this;
    }

    /** Sets a property. */
    public <T> MachineDraft put(Property<T> key, T value) {
        properties.put(key.name(), key.type().cast(value));
        return this;
    }

    /** Adds a pair of texts. */
    public MachineDraft info(String title, String value) {
        infos.add(new Info(title, value));
        return this;
    }

    /** Adds a child after the others. */
    public MachineDraft add(MachineDraft child) {
        children.add(child);
        return this;
    }
}

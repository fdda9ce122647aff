package dev.jacquard.core.session;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.Engine;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.coherence.Coherence;
import dev.jacquard.memory.coherence.Limits;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.link.LinkFile;
import dev.jacquard.memory.device.link.LinkTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The memories of a session, as given to its builder. Confined to the thread that builds. */
final class Memories {
    private final Map<DeviceOffer, Long> devices = new LinkedHashMap<>();
    long hostBytes = Long.MAX_VALUE;
    private final List<Limits.Disk> disks = new ArrayList<>();
    CachePolicy cachePolicy = CachePolicy.leastRecentlyUsed();
    /** Null for the links that are known without settings. */
    @Nullable
    LinkTable links;

    void device(DeviceOffer offer, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("replicas may take 1 to "
                    + offer.properties().memoryBytes() + " bytes of device " + offer.name() + ", not " + bytes
                    + "; leave the device out to use none of it");
        }
        if (bytes > offer.properties().memoryBytes()) {
            throw new IllegalArgumentException("device " + offer.name() + " has "
                    + offer.properties().memoryBytes() + " bytes of memory, and replicas cannot take " + bytes);
        }
        if (offer.name().equals(ExecutionTarget.HOST.name()) || offer.name().matches(LinkTable.DISK + "[0-9]*")) {
            throw new IllegalArgumentException("device " + offer.name() + " has the name of another memory of a session"
                    + ": give it one that is neither host nor disk, with a number or without");
        }
        devices.put(offer, bytes);
    }

    /** Returns the devices of such names, of such kinds, or all; emulated ones first. */
    static List<DeviceOffer> named(String... names) {
        List<DeviceOffer> found = new ArrayList<>();
        List<String> real = new ArrayList<>();
        for (String name : names) {
            if (name.matches("emulated[0-9]+")) {
                found.add(EmulatedDevice.offer(name));
            } else {
                real.add(name);
            }
        }
        found.addAll(real.isEmpty() ? List.of() : Devices.named(real));
        return found;
    }

    boolean hasDevices() {
        return !devices.isEmpty();
    }

    void disk(Limits.Disk more) {
        disks.add(more);
    }

    /**
     * Returns the places of targets and devices, with the number of threads of each; a device has one, whatever
     * {@code targets} has for its name.
     */
    Map<Place, Integer> places(Map<ExecutionTarget, Integer> targets) {
        Map<String, DeviceOffer> byName = new LinkedHashMap<>();
        devices.keySet().forEach(device -> byName.put(device.name(), device));
        Map<Place, Integer> served = new LinkedHashMap<>();
        targets.forEach((target, threads) -> {
            if (!byName.containsKey(target.name())) {
                served.put(Place.threads(target, Place.FIRST_NUMBER + served.size()), threads);
            }
        });
        byName.forEach((name, device) ->
                served.put(Place.device(device.target(), name, Place.FIRST_NUMBER + served.size()), 1));
        return served;
    }

    /** Returns the known speeds of the links of the devices. */
    private LinkTable knownLinks() {
        if (links != null) {
            return links;
        }
        boolean allKnown =
                devices.keySet().stream().allMatch(device -> device.hostLink().isPresent());
        return LinkTable.of(
                List.copyOf(devices.keySet()),
                allKnown ? List.of() : LinkFile.ofUser().read());
    }

    /**
     * Returns the models of the targets of an engine, by which learned times are kept. Emulated devices have their
     * names: each may be as fast as its program makes it.
     */
    Map<Place, String> models(List<Place> places) {
        Map<String, String> ofDevices = new HashMap<>();
        for (DeviceOffer device : devices.keySet()) {
            if (!device.target().equals(ExecutionTarget.EMULATED)) {
                ofDevices.put(device.name(), device.properties().model());
            }
        }
        Map<Place, String> models = new HashMap<>();
        places.forEach(place -> models.put(place, ofDevices.getOrDefault(place.name(), place.name())));
        return models;
    }

    /** Opens the devices; when one cannot be opened the others are closed again, and the engine too. */
    Coherence open(Engine engine, boolean checking) {
        Map<Place, Device> opened = new LinkedHashMap<>();
        try {
            devices.keySet()
                    .forEach(offer -> opened.put(
                            Objects.requireNonNull(engine.place(ExecutionTarget.named(offer.name()))), offer.open()));
            Limits limits = new Limits(hostBytes, disks, List.copyOf(devices.values()), cachePolicy, knownLinks());
            Coherence coherence = new Coherence(limits, opened, threads(engine), engine.trace(), engine.times());
            if (checking) {
                coherence.check();
            }
            return coherence;
        } catch (RuntimeException e) {
            opened.values().forEach(Device::close);
            engine.close();
            throw e;
        }
    }

    /** Returns a maker of threads without which tasks would wait for ever: an exception in one ends the run. */
    private static Coherence.BlockingThreads threads(Engine engine) {
        return new Coherence.BlockingThreads() {
            @Override
            public Thread start(String name, Runnable body) {
                return engine.dedicated(name, () -> {
                    try {
                        body.run();
                    } catch (Throwable e) {
                        engine.fail(e);
                        throw e;
                    }
                });
            }

            @Override
            public int hostWorkers() {
                return engine.hostWorkers();
            }

            @Override
            public void whenIdle(Runnable action) {
                engine.whenIdle(action);
            }
        };
    }
}

package dev.jacquard.core.device;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** The devices of this machine, as all providers find them. Threads: any. */
public final class Devices {
    private Devices() {}

    /** Looks for devices of all kinds; a provider that throws counts as one without. Takes some time. */
    public static DeviceProvider.Discovery discover() {
        List<DeviceOffer> offers = new ArrayList<>();
        List<String> absences = new ArrayList<>();
        for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class)) {
            try {
                DeviceProvider.Discovery found = provider.discover();
                offers.addAll(found.offers());
                found.absences().forEach(why -> absences.add(provider.kind() + ": " + why));
            } catch (RuntimeException | LinkageError e) {
                absences.add(provider.kind() + ": " + e);
            }
        }
        return new DeviceProvider.Discovery(offers, absences);
    }
}

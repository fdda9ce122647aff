package dev.jacquard.devices.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.DeviceProvider.Discovery;
import dev.jacquard.memory.device.Devices;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class CudaProviderTest {
    @Test
    void isFoundAsAService() {
        assertTrue(ServiceLoader.load(DeviceProvider.class).stream()
                .anyMatch(provider -> provider.type() == CudaProvider.class));
    }

    /** As by threads of pools and containers. */
    @Test
    void isAskedWhateverTheContextClassLoaderKnows() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            Discovery found = Devices.discover();
            assertTrue(
                    found.offers().stream().anyMatch(offer -> offer.name().startsWith("cuda"))
                            || found.absences().stream().anyMatch(why -> why.startsWith("cuda: ")),
                    found::toString);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void devicesAreThereOrTheReasonWhyNot() {
        Discovery found = new CudaProvider().discover();
        assertEquals("cuda", new CudaProvider().kind());
        assertTrue(!found.offers().isEmpty() || found.absences().size() == 1, found::toString);
        found.absences().forEach(why -> assertFalse(why.isBlank()));
    }

    @Test
    void withoutADriverTheReasonSaysSo() {
        Discovery found =
                CudaProvider.discover(Found.absent("none of libcuda.so.1 is there"), Found.absent("not looked for"));
        assertTrue(found.offers().isEmpty());
        assertEquals(
                "there is no CUDA driver: none of libcuda.so.1 is there",
                found.absences().get(0));
    }
}

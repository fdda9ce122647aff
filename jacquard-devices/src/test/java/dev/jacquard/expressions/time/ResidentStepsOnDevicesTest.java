package dev.jacquard.expressions.time;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.Devices;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Steps in time with their boundaries on all devices of this machine, to the bytes of the host. */
@Timeout(300)
class ResidentStepsOnDevicesTest {
    @ParameterizedTest
    @EnumSource(ResidentSteps.Walls.class)
    void theBytesAreThoseOfTheHost(ResidentSteps.Walls walls) {
        List<DeviceOffer> offers = Devices.discover().offers();
        assumeFalse(offers.isEmpty(), "no device here");
        for (DeviceOffer offer : offers) {
            for (DataType type : List.of(DataType.FLOAT64, DataType.FLOAT32)) {
                boolean isExact =
                        type == DataType.FLOAT64 ? has(offer, "double_precision") : has(offer, "float_denormals");
                if (isExact) {
                    ResidentSteps.assertBytesOfTheHost(walls, offer, type);
                }
            }
        }
    }

    private static boolean has(DeviceOffer offer, String property) {
        return !"false".equals(offer.properties().more().get(property));
    }
}

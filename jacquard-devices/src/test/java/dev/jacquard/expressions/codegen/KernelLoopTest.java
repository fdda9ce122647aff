package dev.jacquard.expressions.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.Devices;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.testkit.Rounds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels of random bodies compute the bits of the interpreter, on every device of this machine. */
class KernelLoopTest {
    private static final int BODIES = Rounds.some(Integer.getInteger("bodies", 36));
    private static final double[] PARAMETERS = {0.1, -3};

    private static final List<Device> DEVICES = new ArrayList<>();

    @BeforeAll
    static void open() {
        DeviceProvider.Discovery found = Devices.discover();
        assumeFalse(found.offers().isEmpty(), () -> "no devices: " + found.absences());
        found.offers().stream().map(DeviceOffer::open).forEach(DEVICES::add);
    }

    @AfterAll
    static void close() {
        DEVICES.forEach(Device::close);
        DEVICES.clear();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT64", "FLOAT32"})
    void kernelsComputeTheBitsOfTheInterpreter(DataType type) {
        for (Device device : DEVICES) {
            Range row = new Range(0, 300, 0, 1, 0, 1);
            compare(device, RandomBody.special(type), row, new Random(1), "special numbers on " + device.name());
        }
        for (long seed = 1; seed <= BODIES; seed++) {
            RandomGenerator random = new Random(seed);
            int dimensions = random.nextInt(1, 4);
            LoopBody body = RandomBody.of(random, type, dimensions, random.nextInt(1, 200));
            Range range = new Range(
                    random.nextInt(3) == 0 ? 16 : 0,
                    16 + random.nextInt(1, 40),
                    0,
                    dimensions > 1 ? random.nextInt(1, 4) : 1,
                    0,
                    dimensions > 2 ? random.nextInt(1, 3) : 1);
            for (Device device : DEVICES) {
                compare(device, body, range, random, "seed " + seed + " on " + device.name());
            }
        }
    }

    private static void compare(Device device, LoopBody body, Range range, RandomGenerator random, String what) {
        boolean single = body.type() == DataType.FLOAT32;
        try (Arena arena = Arena.ofShared();
                DeviceStream stream = device.stream("loops")) {
            Fields fields = new Fields(arena, body, single, range, random);
            Fields found = fields.copy(arena);
            Binding binding = found.bind(body);
            new Interpreter(body).run(fields.bind(body), PARAMETERS, range);
            Language language = device.target().equals(dev.jacquard.base.machine.ExecutionTarget.CUDA)
                    ? Language.CUDA
                    : Language.OPENCL_C;
            int count = body.inputs() + body.results().size();
            KernelLoop loop = KernelLoop.of(body, language, new int[count]);
            List<DeviceBuffer> memories = new ArrayList<>();
            List<Binding.Place> places = new ArrayList<>();
            for (int field = 0; field < count; field++) {
                MemorySegment segment = binding.segment(field);
                memories.add(device.allocate(segment.byteSize()));
                places.add(binding.place(field));
                stream.copyIn(segment, memories.get(field), CopyShape.run(0, 0, segment.byteSize()));
            }
            loop.launch(stream, memories, places, PARAMETERS, range);
            for (int field = body.inputs(); field < count; field++) {
                MemorySegment segment = binding.segment(field);
                stream.copyOut(memories.get(field), segment, CopyShape.run(0, 0, segment.byteSize()));
            }
            try (DeviceEvent over = stream.record()) {
                over.await();
            }
            memories.forEach(DeviceBuffer::close);
            assertEquals(
                    "",
                    found.difference(fields, 1),
                    () -> what + ", " + range + "\n" + loop.source().text());
        }
    }
}

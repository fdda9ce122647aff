package dev.jacquard.core.testing.loop;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Arguments;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceWork;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernel of all tasks, on every target. Arguments: the task's number, a long; flags, an int; up to
 * {@value #MOST_READS} data that are read; one that is written.
 */
final class MixKernel {
    static final int MOST_READS = 3;
    static final int UPDATES = 1;
    private static final int NUMBERS = 2;

    static final Kernel MIX = Kernel.named("mix")
            .onDevice(ExecutionTarget.CUDA, work -> launch(Language.CUDA, "mix.cu", work))
            .onDevice(ExecutionTarget.OPENCL, work -> launch(Language.OPENCL_C, "mix.cl", work))
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("mix", MixKernel::onEmulated))
            .onHost(MixKernel::onHost);

    private MixKernel() {}

    private static void launch(Language language, String file, DeviceWork work) {
        List<Object> arguments = new ArrayList<>(work.arguments());
        int reads = arguments.size() - NUMBERS - 1;
        for (int i = 0; i < reads; i++) {
            arguments.add(work.layout(NUMBERS + i).elements());
        }
        arguments.add(work.items());
        KernelSource source = KernelSource.resource(language, MixKernel.class, file, "mix" + reads);
        work.stream().launch(work.stream().device().compile(source), LaunchShape.of(work.items()), arguments);
    }

    private static void onEmulated(EmulatedBody.Launch launch) {
        List<Memory> memories = new ArrayList<>();
        for (int i = NUMBERS; i < launch.arguments().size(); i++) {
            MemorySegment memory = launch.memory(i);
            memories.add(new Memory(memory, Layout.of(DataType.INT64, memory.byteSize() / Long.BYTES)));
        }
        mix(launch.longAt(0), launch.intAt(1), memories);
    }

    private static void onHost(Arguments arguments) {
        List<Memory> memories = new ArrayList<>();
        int flags = (int) arguments.integer(1);
        int reads = flags >>> 2;
        for (int i = 0; i <= reads; i++) {
            memories.add(arguments.memory(NUMBERS + i));
        }
        mix(arguments.integer(0), flags, memories);
    }

    private static void mix(long number, int flags, List<Memory> memories) {
        long fold = 0;
        for (Memory read : memories.subList(0, memories.size() - 1)) {
            fold = Elements.fold(read, fold);
        }
        Memory written = memories.getLast();
        Elements.mix(written, (flags & UPDATES) != 0, fold, number);
    }
}

package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceKernel;
import java.util.List;

/** Java code as a kernel of one emulated device, which may name the types of its arguments. */
record EmulatedKernel(EmulatedDevice device, String name, EmulatedBody.Code code, List<Class<?>> parameters)
        implements DeviceKernel {
    private static final List<Class<?>> POSSIBLE =
            List.of(DeviceBuffer.class, Integer.class, Long.class, Float.class, Double.class);

    EmulatedKernel {
        parameters = List.copyOf(parameters);
        for (Class<?> parameter : parameters) {
            if (!POSSIBLE.contains(parameter)) {
                throw new IllegalArgumentException("kernel \"" + name + "\" cannot take a " + parameter.getName()
                        + ", only DeviceBuffer, Integer, Long, Float and Double");
            }
        }
    }

    /** Requires that these are arguments that it takes. */
    void requireFitting(List<?> arguments) {
        if (arguments.size() != parameters.size()) {
            throw new IllegalArgumentException(
                    "kernel \"" + name + "\" takes " + parameters.size() + " arguments, not " + arguments.size());
        }
        for (int i = 0; i < parameters.size(); i++) {
            if (!parameters.get(i).isInstance(arguments.get(i))) {
                throw new IllegalArgumentException("argument " + i + " of kernel \"" + name + "\" is a "
                        + parameters.get(i).getSimpleName() + ", not a "
                        + arguments.get(i).getClass().getSimpleName());
            }
        }
    }
}

package dev.jacquard.core.testing;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CountDownLatch;

/** Kernels that say when their device is told of them, and sessions that run them. */
public final class EmulatedKernels {
    /** The work of a kernel, on the device that runs it. */
    public interface Work {
        void run(EmulatedBody.Launch launch) throws Exception;
    }

    private EmulatedKernels() {}

    /** Returns a kernel that runs {@code told} when the device is told, and {@code work} when that runs it. */
    public static Kernel kernel(String name, Runnable told, Work work) {
        EmulatedBody body = new EmulatedBody(name, launch -> {
            try {
                work.run(launch);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        return Kernel.named(name).onDevice(ExecutionTarget.EMULATED, its -> {
            told.run();
            body.enqueue(its);
        });
    }

    /** Opens a session with the devices {@code emulated0}, {@code emulated1}, and so on. */
    public static Session session(int workers, int devices) {
        SessionBuilder builder = Session.builder().workers(workers);
        for (int i = 0; i < devices; i++) {
            builder.device(EmulatedDevice.offer("emulated" + i));
        }
        return builder.open();
    }

    /** Waits within a kernel until the test lets it go on. */
    public static void await(CountDownLatch latch) {
        Watchdog.await(latch, "the test lets it go on");
    }
}

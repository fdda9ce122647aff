package dev.jacquard.devices.opencl;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.DeviceProvider.Discovery;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a session says when kernels or data do not fit an OpenCL device; it goes on. */
@SuppressWarnings("NullAway.Init") // the session is opened before each test
class TasksThatDoNotFitTest {
    private static final String RIGHT = """
            kernel void scale(double a, global double *x, long n) {
                size_t i = get_global_id(0);
                if (i < n) x[i] *= a;
            }
            """;

    private Session session;
    private DeviceOffer offer;

    @BeforeEach
    void open() {
        Discovery found = new OpenClProvider().discover();
        assumeFalse(found.offers().isEmpty(), () -> String.join("; ", found.absences()));
        offer = found.offers().getFirst();
        session = Session.builder().workers(1).device(offer).open();
    }

    @AfterEach
    @SuppressWarnings("NullAway") // a skipped test has none
    void theSessionStillWorksAndCloses() {
        if (session != null) {
            double[] home = {1, 2};
            Data x = session.data().vector("last", home);
            session.graph().task("scale").updates(x).run(kernel(RIGHT), 3.0);
            session.data().fetch(x);
            assertEquals(6, home[1]);
            session.close();
        }
    }

    private static Kernel kernel(String text) {
        return Kernel.named("scale")
                .onDevice(
                        ExecutionTarget.OPENCL,
                        SourceKernel.perElement(new KernelSource(Language.OPENCL_C, "scale.cl", "scale", text)));
    }

    private Throwable failure(Kernel kernel, Number... numbers) {
        Data x = session.data().vector("x", new double[] {1, 2});
        Task<?> task = session.graph().task("step").updates(x).run(kernel, numbers);
        Throwable failure = assertThrows(TaskFailedException.class, task::join);
        session.graph().await(); // says nothing more: the failure was told by the join
        return failure;
    }

    @Test
    void aKernelThatDoesNotCompileIsToldWithTheCompilersLogAndItsLines() {
        assertMentions(
                failure(kernel(RIGHT.replace("*= a", "*= nowhere")), 2.0),
                "task \"step\" failed",
                "kernel \"scale\" of scale.cl does not compile for " + offer.name(),
                ":3:",
                "nowhere");
    }

    @Test
    void argumentsThatAKernelDoesNotTakeAreTold() {
        assertMentions(refusal(new double[2], RIGHT, 2), "task \"step\"", "kernel \"scale\"", "Integer 2");
        assertMentions(refusal(new double[2], RIGHT), "takes 3 arguments", "not 2");
    }

    private Throwable refusal(Object home, String text, Number... numbers) {
        Data x = home instanceof float[] floats
                ? session.data().vector("x", floats)
                : session.data().vector("x", (double[]) home);
        return assertThrows(
                IllegalArgumentException.class,
                () -> session.graph().task("step").updates(x).run(kernel(text), numbers));
    }

    @Test
    void dataOfAnotherElementTypeIsRefusedAtSubmission() {
        assertMentions(refusal(new float[2], RIGHT, 2.0), "elements of type float64", "data of type float32");
    }

    /** Reading on would be outside of the buffer. */
    @Test
    void typesThatOnlyTheDriverKnowsAreComparedAtTheLaunch() {
        String text = "#define REAL double\n" + RIGHT.replace("global double", "global REAL");
        Data x = session.data().vector("x", new float[] {1, 2});
        Task<?> task = session.graph().task("step").updates(x).run(kernel(text), 2.0);
        assertMentions(
                assertThrows(TaskFailedException.class, task::join),
                "elements of type float64",
                "data of type float32");
        session.graph().await(); // says nothing more: the failure was told by the join
        double[] home = {1, 2};
        Data right = session.data().vector("right", home);
        session.graph().task("step").updates(right).run(kernel(text), 2.0);
        session.data().fetch(right);
        assertEquals(4, home[1]);
    }

    @Test
    void dataThatIsLargerThanADeviceIsRefusedAtSubmission() {
        Data large = session.data()
                .vector("large", DataType.FLOAT64, offer.properties().memoryBytes() / Double.BYTES + 1);
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> session.graph().task("step").writes(large).run(kernel(RIGHT), 2.0)),
                "task \"step\" accesses",
                offer.name(),
                "let it access smaller parts");
    }

    @Test
    void anUnknownDeviceIsRefusedWithThoseThereAre() {
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class, () -> Session.builder().devices("warp9")),
                "no device \"warp9\"",
                offer.name() + " (" + offer.properties().model());
    }
}

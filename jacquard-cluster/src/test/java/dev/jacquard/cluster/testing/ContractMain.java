package dev.jacquard.cluster.testing;

import dev.jacquard.cluster.communicator.Communicator;
import java.io.PrintStream;
import java.util.Arrays;

/** Runs the contract on a communicator, and prints one line for each check on rank 0. */
public final class ContractMain {
    private ContractMain() {}

    /** Runs all checks; throws the first failure. */
    public static void run(Communicator world, PrintStream out) throws Exception {
        for (Check check : CommunicatorContract.all()) {
            Object result;
            try (Communicator comm = world.duplicate()) {
                result = check.body().run(comm);
            } catch (Throwable e) {
                throw new AssertionError("rank " + world.rank() + ", " + check.name() + ": " + e, e);
            }
            world.barrier();
            if (world.rank() == 0) {
                out.println(check.name() + " = " + text(result));
            }
        }
    }

    /** Returns a result as a text that has all its bits. */
    public static String text(Object result) {
        return switch (result) {
            case double[] all ->
                Arrays.toString(Arrays.stream(all)
                        .mapToObj(Double::doubleToRawLongBits)
                        .map(Long::toHexString)
                        .toArray());
            case long[] all -> Arrays.toString(all);
            case int[] all -> Arrays.toString(all);
            default -> String.valueOf(result);
        };
    }
}

package example;

import module dev.jacquard.components;
import module java.base;

/** A component in a jar: a step of Newton's method for a square root, at the beginning of a loop. */
public final class Root implements Component {
    private static final SocketType<Double> NUMBER = SocketType.of(Double.class);
    private static final Setting<Double> OF =
            Setting.required("of", Setting.Type.number(0, 1e9), "The number that has the root.");
    private static final Sink<Double> GUESS = Sink.optional("guess", NUMBER, "The root so far; empty in the first pass.");
    private static final Source<Double> ROOT = Source.of("root", NUMBER, "A better root.");

    /** The pass that throws, to show a checkpoint; 0 for none. Written by {@link #main} between runs. */
    private static volatile int failsAt;

    /** Made by the service loader. */
    public Root() {}

    @Override
    public String name() {
        return "root";
    }

    @Override
    public String description() {
        return "a step towards a square root";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(OF);
    }

    @Override
    public List<ComponentSocket<?>> sockets(Settings settings) {
        return List.of(GUESS, ROOT);
    }

    @Override
    public Instance open(ComponentContext context) {
        double of = context.settings().get(OF);
        Input<Double> guess = context.input(GUESS);
        Output<Double> root = context.output(ROOT);
        int[] passes = {0};
        context.keep("passes", SocketType.of(Integer.class), () -> passes[0], kept -> passes[0] = kept);
        return () -> {
            if (++passes[0] == failsAt) throw new IOException("the power is gone in pass " + passes[0]);
            double x = guess.orElse(of);
            root.set((x + of / x) / 2);
            context.result("after " + passes[0] + " passes");
            return true;
        };
    }

    /** Runs a program of the component that fails in its fifth pass, and again from its checkpoint. */
    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("root");
        Path program = Files.writeString(folder.resolve("root.yaml"), """
                checkpoint: {every: 2}
                components:
                  newton: {component: root, of: 2}
                  end: {component: until, passes: 8}
                  answer: {component: show}
                wires: {newton.guess: end.again, end.value: newton.root, answer.value: end.value}
                """);
        failsAt = 5;
        try {
            run(program, folder, false);
        } catch (ComponentFailedException e) {
            IO.println(e.getMessage());                           // prints: component 'newton'
        }
        failsAt = 0;
        Report report = run(program, folder, true);
        IO.println(report.values().get("results"));               // prints: {newton=after 8 passes, answer=1.414213562373095}
    }

    private static Report run(Path program, Path folder, boolean resumes) throws Exception {
        Catalog catalog = Catalog.of(List.of());                  // from a jar the component is there already
        if (catalog.all().stream().noneMatch(Root.class::isInstance)) catalog = catalog.plus(List.of(new Root()));
        Program loaded = Program.load(program, new Program.Choices(List.of(), null, catalog, null));
        try (OutputFolder out = OutputFolder.open(folder.resolve("result"))) {
            return loaded.run(new Program.Surroundings(out, Progress.NONE, new Cancellation(), resumes));
        }
    }
}

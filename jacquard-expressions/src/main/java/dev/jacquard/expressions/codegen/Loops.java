package dev.jacquard.expressions.codegen;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Machine;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.RowCache;
import dev.jacquard.memory.data.DataType;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The loops that run bodies, each made when it is first asked for. Bodies of one shape share a loop. Of
 * {@value #MOST_LOOPS} loops the one that was not asked for longest goes, and its class with the last user of it.
 *
 * <p>A body with a method that would be longer than the 8,000 bytes up to which the JVM compiles methods, some hundreds
 * of operations, becomes several loops, which take turns row by row. Where the fields alone make a part too long, the
 * body is interpreted whatever the form, and a warning says so.
 *
 * <p>Threads: any.
 */
public final class Loops {
    /** The most loops that are kept. */
    static final int MOST_LOOPS = 1_000;

    /** The most parts that a body is split into. */
    private static final int MOST_PARTS = 1_000;

    /** Half of a second-level cache of 1 MiB. */
    private static final long DEFAULT_BLOCK = 1 << 19;
    /** Smaller blocks read more of their neighbours than they save. */
    private static final long LEAST_BLOCK = 1 << 17;
    /** Larger blocks leave too few for several workers. */
    private static final long MOST_BLOCK = 1 << 20;

    private static final System.Logger LOG = System.getLogger(Loops.class.getName());

    private record Key(Form form, String shape) {}

    /** The loops, the one asked for last at the end; guarded by this. */
    private final Map<Key, Loop> made = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Loop> eldest) {
            return size() > MOST_LOOPS;
        }
    };

    /** The number of classes made; guarded by this. */
    private int classes;

    private final @Nullable Warming warming;
    /** True if loops in lanes are warmed when they are made; else plain loops come first. */
    private final boolean ahead;
    /** False if new loops are not warmed; guarded by this. */
    private boolean warms = true;
    /** The names of the warmed calls besides loops; guarded by this. */
    private final Set<String> others = new HashSet<>();
    /** The number of loops that are warmed; guarded by this. */
    private int warmed;

    /** Returns no loops yet. They are not {@linkplain #warm(boolean) warmed}. */
    public Loops() {
        warming = null;
        ahead = false;
    }

    /**
     * Returns no loops yet.
     *
     * @param threads makes a thread that runs the given action, and ends with it
     * @param ahead true if loops in lanes are {@linkplain #warm(boolean) warmed} when they are made; false if loops of
     *     the form {@link Form#AUTO} are interpreted until they have done so much work that a loop in lanes pays, which
     *     is warmed then
     */
    public Loops(Executor threads, boolean ahead) {
        this.warming = new Warming(threads, Clock.system());
        this.ahead = ahead;
    }

    /** Returns true if this JVM has the module that loops in lanes need. */
    public static boolean hasLanes() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    }

    /**
     * Returns the bytes that loops go back to within a block of points, so that they find them in the second cache:
     * half of what a core has of it ({@link Machine#cacheOfCore}), from 128 KiB to 1 MiB, and 512 KiB where the machine
     * does not say. Changes no bit.
     */
    public static long blockBytes() {
        return blockBytes(Machine.cacheOfCore());
    }

    static long blockBytes(OptionalLong cacheOfCore) {
        return cacheOfCore.isPresent()
                ? Math.clamp(cacheOfCore.getAsLong() / 2, LEAST_BLOCK, MOST_BLOCK)
                : DEFAULT_BLOCK;
    }

    /** Returns true if loops of a form are in lanes from their first run on. */
    public synchronized boolean beginInLanes(Form form) {
        return form == Form.LANES || (form == Form.AUTO && hasLanes() && ahead && warms);
    }

    /**
     * Returns the loop of a body.
     *
     * @throws IllegalStateException if lanes are asked for where they are not
     */
    public synchronized Loop loop(LoopBody body, Form form) {
        Objects.requireNonNull(body, "body");
        boolean isTiered = form == Form.AUTO && hasLanes() && warming != null && !ahead && warms;
        Key key = new Key(isTiered ? form : actual(form), body.shape());
        return made.computeIfAbsent(key, any -> make(body, key.form()));
    }

    /** Returns the number of classes that were made. */
    public synchronized int classes() {
        return classes;
    }

    /**
     * Enables warm-up of new loops in lanes, where there are threads for it: one runs each loop over a scratch buffer
     * of some kilobytes until the JVM has compiled it, so that the first steps need not run it interpreted. That takes
     * about as long as tens of these steps, at most a second after the last one was made, and changes no bit.
     *
     * @param warms false to end the current warm-up, too
     */
    public synchronized void warm(boolean warms) {
        this.warms = warms;
        if (warming != null && !warms) {
            warming.stop();
        }
    }

    /**
     * Has something else warmed, if loops are and nothing of that name was.
     *
     * @param call makes a call, which another thread repeats, and which does no harm
     * @param compiledNanos its time is longer until it is compiled, and at most this from then on
     */
    public synchronized void warm(String name, Supplier<Runnable> call, long compiledNanos) {
        if (warming != null && ahead && warms && others.add(name)) {
            warming.add(call.get(), compiledNanos);
        }
    }

    /** Waits until all is compiled that is warmed, but for 0.7 seconds at most. */
    public void awaitWarm() {
        if (warming != null) {
            warming.await();
        }
    }

    /** Returns the number of loops that were, or are, warmed. */
    public synchronized int warmed() {
        return warmed;
    }

    /** Returns the loop of a body as a text that resembles Java, a line for each value. */
    public static String source(LoopBody body) {
        return new LoopSource(body).text();
    }

    private static Form actual(Form form) {
        return switch (form) {
            case AUTO -> hasLanes() ? Form.LANES : Form.PLAIN;
            case LANES -> {
                if (!hasLanes()) {
                    throw new IllegalStateException(
                            "loops in lanes need the module jdk.incubator.vector, which this JVM"
                                    + " lacks: add --add-modules jdk.incubator.vector, or choose plain loops");
                }
                yield form;
            }
            case PLAIN, INTERPRETER -> form;
        };
    }

    private Loop make(LoopBody body, Form form) {
        if (form == Form.AUTO) {
            Loop plain = compile(body, Form.PLAIN);
            Loop first = compile(body, Form.INTERPRETER);
            return plain instanceof Interpreter
                    ? first
                    : new TieredLoop(first, plain, body.values().size(), loop -> promote(loop, body));
        }
        Loop loop = compile(body, form);
        if (ahead && warms && form == Form.LANES) {
            warm(body, loop, isCompiled -> {});
        }
        return loop;
    }

    /**
     * Has the JVM compile loops in lanes in the place of all plain loops that run until these pay, as if they had done
     * so much work: for programs that measure how long loops take on the host before they give them work.
     */
    public synchronized void promote() {
        for (Loop loop : List.copyOf(made.values())) {
            if (loop instanceof TieredLoop tiered) {
                tiered.ask();
            }
        }
    }

    /** Has the JVM compile a loop in lanes, which replaces an interpreted one then, or at once if none is warmed. */
    private synchronized void promote(TieredLoop tiered, LoopBody body) {
        Loop lanes = loop(body, Form.LANES);
        if (lanes instanceof Interpreter) {
            tiered.replace(loop(body, Form.PLAIN));
        } else if (!warms) {
            tiered.replace(lanes);
        } else {
            warm(body, lanes, isCompiled -> {
                if (isCompiled) {
                    tiered.replace(lanes);
                } else {
                    tiered.keep();
                }
            });
        }
    }

    private void warm(LoopBody body, Loop loop, Consumer<Boolean> then) {
        if (warming != null && !(loop instanceof Interpreter)) {
            ScratchLoop scratch = new ScratchLoop(body, loop, Lanes.count(body.type() == DataType.FLOAT32));
            warming.add(scratch, scratch.compiledNanos(), then);
            warmed++;
        }
    }

    private Loop compile(LoopBody body, Form form) {
        Optional<RowCache> cache = RowCache.of(body);
        if (cache.isPresent()) {
            List<Loop> stages = cache.get().stages().stream()
                    .map(stage -> compile(stage.body(), form))
                    .toList();
            int vector = form == Form.LANES ? Lanes.count(body.type() == DataType.FLOAT32) : 1;
            return new RowCacheLoop(
                    body, cache.get(), vector, stages, compile(cache.get().rest(), form));
        }
        if (form == Form.INTERPRETER) {
            return new Interpreter(body);
        }
        Optional<LoopClass> whole = LoopClass.of(body, form == Form.LANES);
        if (whole.isPresent()) {
            classes++;
            return whole.get().load();
        }
        for (int count = LoopClass.fewestParts(body); count <= MOST_PARTS; count += 1 + count / 2) {
            Optional<SplitLoop> split = SplitLoop.of(body, count, form == Form.LANES);
            if (split.isPresent()) {
                classes += split.get().classes();
                return split.get();
            }
        }
        LOG.log(
                Level.WARNING,
                "a loop of " + body.values().size() + " values over " + body.inputs()
                        + " fields is interpreted, which is slow: the JVM compiles at most "
                        + LoopClass.MOST_BYTES
                        + " bytes of bytecode, and not even a part of it in " + MOST_PARTS
                        + " is that short: compute some of it into separate fields");
        return new Interpreter(body);
    }

    /** The forms of loops, all of which compute the same bits. */
    public enum Form {
        /**
         * {@link #LANES} where the JVM has the module {@code jdk.incubator.vector}, else {@link #PLAIN}; for loops that
         * are not warmed when they are made, {@link #INTERPRETER} until {@link #LANES} pays.
         */
        AUTO,
        /** Bytecode that computes a vector of points at a time; needs the module {@code jdk.incubator.vector}. */
        LANES,
        /** Bytecode that computes a point at a time. */
        PLAIN,
        /** No bytecode: the body is interpreted. */
        INTERPRETER
    }
}

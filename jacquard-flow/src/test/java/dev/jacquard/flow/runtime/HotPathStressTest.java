package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.report.FlowReport.Outcome;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two threads on one operation of the runtime at a time; each lock, fence and volatile named here is needed by its
 * test.
 */
class HotPathStressTest {
    private static final int LOANS = 300;

    private static BufferGrants ledger() {
        return new BufferGrants(Clock.system(), () -> {}, new Breakage());
    }

    static Pool pool(BufferGrants ledger, boolean dynamic) {
        MemoryEdge<Object> edge = new MemoryEdge<>("m", 2 * LOANS, Object::new);
        Pool pool = new Pool("m", dynamic ? edge.dynamic() : edge, edge.allocator());
        for (int i = 0; i < pool.size && !dynamic; i++) {
            pool.values.add(new Object());
        }
        ledger.add(pool);
        return pool;
    }

    private static final class Buffers {
        private final BufferGrants ledger = ledger();
        private final Loans loans = new Loans(ledger, StageTest::handle);
        private final Pool pool;
        private final List<Handle<Object>> one = new ArrayList<>();
        private final List<Handle<Object>> other = new ArrayList<>();

        Buffers(boolean dynamic) {
            pool = pool(ledger, dynamic);
        }

        void lend(List<Handle<Object>> into) throws Exception {
            for (int i = 0; i < LOANS; i++) {
                into.add(LedgerTest.lend(loans, pool, ReleaseRule.once()));
            }
        }

        void release(List<Handle<Object>> which) throws Exception {
            for (Handle<Object> handle : which) {
                loans.release(handle, new WakeList());
            }
            which.clear();
        }
    }

    /** The locks in Loans.lend. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void buffersLentAtOnceAreDifferentAndAllKnown(boolean dynamic) {
        Buffers[] now = new Buffers[1];
        Racers.race(
                100_000,
                round -> now[0] = new Buffers(dynamic),
                round -> now[0].lend(now[0].one),
                round -> now[0].lend(now[0].other),
                round -> {
                    Set<Object> values = Collections.newSetFromMap(new IdentityHashMap<>());
                    now[0].one.forEach(handle -> values.add(handle.value()));
                    now[0].other.forEach(handle -> values.add(handle.value()));
                    assertEquals(2 * LOANS, values.size());
                    assertEquals(2 * LOANS, now[0].pool.taken);
                    assertEquals(2 * LOANS, now[0].pool.live);
                });
    }

    /** The lock around the look for a loan in Loans.release. */
    @Test
    void aLoanIsFoundWhileOthersBegin() {
        Buffers[] now = new Buffers[1];
        Racers.race(
                100_000,
                round -> {
                    now[0] = new Buffers(true);
                    for (int i = 0; i < 10; i++) {
                        now[0].one.add(LedgerTest.lend(now[0].loans, now[0].pool, ReleaseRule.after(1 << 20)));
                    }
                },
                round -> {
                    for (int i = 0; i < LOANS; i++) {
                        now[0].loans.release(now[0].one.get(i % 10), new WakeList());
                    }
                },
                round -> now[0].lend(now[0].other),
                round -> assertEquals(LOANS + 10, now[0].pool.live));
    }

    /** The locks of Loans.release where the loan ends, and of BufferGrants.giveBack. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void buffersReleasedAtOnceAreAllFree(boolean dynamic) {
        Buffers[] now = new Buffers[1];
        Racers.race(
                100_000,
                round -> {
                    now[0] = new Buffers(dynamic);
                    now[0].lend(now[0].one);
                    now[0].lend(now[0].other);
                    now[0].pool.free = 0;
                },
                round -> now[0].release(now[0].one),
                round -> now[0].release(now[0].other),
                round -> {
                    assertEquals(0, now[0].pool.live);
                    assertEquals(2 * LOANS, now[0].pool.free);
                    assertEquals(dynamic ? 0 : 2 * LOANS, new HashSet<>(now[0].pool.values).size());
                });
    }

    /** The lock of Stage.leaveIdle: a copy that gives up to sleep is not woken as well. */
    @Test
    void aCopyLeavesTheIdleListOnce() {
        Run run = Racers.run();
        Stage stage = StageTest.stage(ledger(), new BufferNeed[0], 2);
        stage.addProducers(1);
        TaskInstance mine = Racers.copy(run, stage);
        TaskInstance another = Racers.copy(run, stage);
        boolean[] left = new boolean[1];
        Wakeable[] woken = new Wakeable[1];
        Racers.race(
                1_000_000,
                round -> {
                    assertEquals(Step.IDLE, stage.pause(mine, stage.changes(), new CopyCounters(), false));
                    if (round % 2 == 0) {
                        assertEquals(Step.IDLE, stage.pause(another, stage.changes(), new CopyCounters(), false));
                    }
                },
                round -> left[0] = stage.leaveIdle(mine),
                round -> woken[0] = stage.append(null, new Object[] {round}, 1, null),
                round -> {
                    boolean both = round % 2 == 0;
                    assertEquals(both || !left[0], woken[0] != null);
                    assertEquals(left[0], woken[0] != mine);
                    assertEquals(1, stage.take(new Object[1], 1, new CopyCounters(), null, new WakeList()));
                    if (both) {
                        assertEquals(woken[0] == mine, stage.leaveIdle(another));
                    }
                });
    }

    /** The fences of Inbox.offer and Inbox.bell: a copy does not sleep beside an item. */
    @Test
    void noCopySleepsBesideAnItemFromOutside() {
        Run run = Racers.run();
        Stage stage = StageTest.stage(ledger(), new BufferNeed[0], 1);
        stage.addProducers(1);
        Input input = Racers.input(stage, 0, ledger());
        TaskInstance copy = Racers.copy(run, stage);
        Wakeable[] woken = new TaskInstance[1];
        Step[] step = new Step[1];
        Racers.race(
                1_000_000,
                round -> {},
                round -> step[0] = stage.pause(copy, stage.changes(), new CopyCounters(), false),
                round -> woken[0] = input.send(new Object[] {round}, 1),
                round -> {
                    assertEquals(step[0] == Step.IDLE, woken[0] == copy);
                    assertEquals(1, stage.take(new Object[1], 1, new CopyCounters(), null, new WakeList()));
                });
    }

    /** The same against the end: an item that was sent is taken or counted as cancelled. */
    @Test
    void noItemFromOutsideIsForgottenWhenTheRunStops() {
        Stage[] stage = new Stage[1];
        Input[] input = new Input[1];
        Racers.race(
                1_000_000,
                round -> {
                    stage[0] = StageTest.stage(ledger(), new BufferNeed[0], 1);
                    input[0] = Racers.input(stage[0], 0, ledger());
                },
                round -> assertNull(stage[0].stop(null)),
                round -> assertNull(input[0].send(new Object[] {round}, 1)),
                round -> assertEquals(1L, stage[0].counts().total().cancelled));
    }

    /** The lock of Stage.take against that of Input.send, over many laps of the ring. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 300})
    void itemsFromOutsideComeInOrder(int many) {
        Stage stage = StageTest.stage(ledger(), new BufferNeed[0], 1);
        stage.addProducers(1);
        Input input = Racers.input(stage, 0, ledger());
        int[] sent = new int[1];
        int[] taken = new int[1];
        Racers.race(
                1_000_000,
                round -> {},
                round -> {
                    for (int i = 0; i < 10; i++) {
                        Object[] items = new Object[many];
                        Arrays.setAll(items, at -> sent[0]++);
                        assertNull(input.send(items, many));
                    }
                },
                round -> {
                    Object[] items = new Object[100];
                    for (int left = 10 * many; left > 0; ) {
                        int count = stage.take(
                                items, Math.min(left, items.length), new CopyCounters(), null, new WakeList());
                        for (int i = 0; i < count; i++) {
                            assertEquals(taken[0]++, items[i]);
                        }
                        left -= count;
                    }
                },
                round -> assertEquals(0, stage.backlog()));
    }

    /** The release of head in Inbox.free: items that a copy moves from there to its queue count all the time. */
    @Test
    void theBoundHoldsWhileItemsAreMoved() {
        int bound = 40;
        Stage stage = StageTest.stage(ledger(), new BufferNeed[0], 1);
        stage.addProducers(1);
        Input input = Racers.input(stage, bound, ledger());
        Object[] items = new Object[500];
        Arrays.fill(items, 1);
        Racers.race(
                1_000_000,
                round -> {},
                round -> {
                    for (int at = 0; at < items.length; ) {
                        at += input.sendSome(items, at, new WakeList());
                    }
                },
                round -> {
                    Object[] one = new Object[1];
                    for (int taken = 0; taken < items.length; ) {
                        taken += stage.take(one, 1, new CopyCounters(), null, new WakeList());
                    }
                },
                round -> assertTrue(stage.counts().largest() <= bound, () -> "there were " + stage.counts()));
    }

    /** The lock of Input.send: who sends at once loses nothing. */
    @Test
    void sendersAtOnceLoseNothing() {
        Stage stage = StageTest.stage(ledger(), new BufferNeed[0], 1);
        stage.addProducers(1);
        Input input = Racers.input(stage, 0, ledger());
        Racers.Part send = round -> {
            for (int i = 0; i < 1_000; i++) {
                assertNull(input.send(new Object[] {i}, 1));
            }
        };
        Object[] items = new Object[4_000];
        Racers.race(1_000_000, round -> {}, send, send, round -> {
            assertEquals(2_000, stage.take(items, 4_000, new CopyCounters(), null, new WakeList()));
            for (int i = 0; i < 2_000; i++) {
                assertNotNull(items[i]);
            }
            assertEquals(2_000L * round, input.sent());
        });
    }

    /** The same for the lock of an input whose consumer has no inbox. */
    @Test
    void sendersAtOnceLoseNothingWithoutInboxes() {
        OutputQueue queue = new OutputQueue(0, () -> {});
        Input input = Racers.input(queue, 0, ledger());
        Racers.Part send = round -> {
            for (int i = 0; i < 1_000; i++) {
                assertNull(input.send(new Object[] {i}, 1));
            }
        };
        Object[] items = new Object[4_000];
        Racers.race(1_000_000, round -> {}, send, send, round -> {
            assertEquals(2_000, queue.fetch(items));
            assertEquals(2_000L * round, input.sent());
        });
    }

    /** The lock of Input.finish: the end is announced once. */
    @Test
    void theEndOfTheInputIsAnnouncedOnce() {
        Stage[] stage = new Stage[1];
        Input[] input = new Input[1];
        Racers.Part finish = round -> assertNull(input[0].finish());
        Racers.race(
                1_000_000,
                round -> {
                    stage[0] = StageTest.stage(ledger(), new BufferNeed[0], 1);
                    stage[0].addProducers(2);
                    input[0] = Racers.input(stage[0], 0, ledger());
                },
                finish,
                finish,
                round -> {
                    assertFalse(stage[0].closed());
                    stage[0].producerDone(null);
                    assertTrue(stage[0].closed());
                });
    }

    /** The locks of Stage.producerDone and Stage.changed: every end and every change counts. */
    @Test
    void producersThatEndAtOnceAreAllCounted() {
        Stage[] stage = new Stage[1];
        Racers.Part end = round -> {
            for (int i = 0; i < 500; i++) {
                assertNull(stage[0].producerDone(null));
                assertNull(stage[0].changed(null));
            }
        };
        Racers.race(
                1_000_000,
                round -> {
                    stage[0] = StageTest.stage(ledger(), new BufferNeed[0], 1);
                    stage[0].addProducers(1_001);
                },
                end,
                end,
                round -> {
                    assertEquals(2_000, stage[0].changes());
                    assertFalse(stage[0].closed());
                    assertNull(stage[0].producerDone(null));
                    assertTrue(stage[0].closed());
                });
    }

    /** The lock of Stage.acceptGranted: items whose buffers were granted arrive. */
    @Test
    void itemsGrantedAtOnceAllArrive() {
        Stage stage = StageTest.stage(ledger(), new BufferNeed[0], 1);
        stage.addProducers(1);
        Granted granted = new Granted(stage.setup.needs, "item", 1, 1, 0);
        Racers.Part accept = round -> {
            WakeList wakes = new WakeList();
            for (int i = 0; i < 500; i++) {
                stage.acceptGranted(granted, wakes);
            }
        };
        Object[] items = new Object[2_000];
        Racers.race(1_000_000, round -> {}, accept, accept, round -> {
            assertEquals(1_000, stage.take(items, items.length, new CopyCounters(), null, new WakeList()));
            for (int i = 0; i < 1_000; i++) {
                assertNotNull(items[i]);
            }
        });
    }

    /** The atomic counter of Cycle: stages that count at once agree on what is left. */
    @Test
    void aCycleIsDrainedWhenAllTokensAreBack() {
        Cycle cycle = new Cycle();
        Racers.race(
                1_000_000,
                round -> cycle.take(2_000),
                round -> {
                    for (int i = 0; i < 1_000; i++) {
                        cycle.take(1);
                    }
                },
                round -> {
                    for (int i = 0; i < 1_000; i++) {
                        assertNull(cycle.give(1, null));
                    }
                },
                round -> {
                    assertNull(cycle.give(1_999, null));
                    assertFalse(cycle.drained());
                    assertNull(cycle.give(1, null));
                    assertTrue(cycle.drained());
                });
    }

    /** The lock of Lease.released: a user's rule needs none of its own. */
    @Test
    void aReleaseRuleIsAskedByOneThreadAtATime() {
        int[] asked = new int[1];
        Lease lease = new Lease(
                new Loans(ledger(), StageTest::handle), pool(ledger(), true), "test", () -> ++asked[0] < 0, 0, false);
        Racers.Part ask = round -> {
            for (int i = 0; i < 500; i++) {
                assertFalse(lease.released());
            }
        };
        Racers.race(1_000_000, round -> asked[0] = 0, ask, ask, round -> assertEquals(1_000, asked[0]));
    }

    /** The lock in RunLife.stop: a failure that comes with another is told with it. */
    @Test
    void ofFailuresAtOnceNoneIsLost() {
        Run[] run = new Run[1];
        TaskInstance[] copy = new TaskInstance[1];
        Exception one = new Exception("one");
        Exception other = new Exception("other");
        Racers.race(
                1_000_000,
                round -> {
                    run[0] = Racers.run();
                    copy[0] = Racers.copy(run[0], StageTest.stage(ledger(), new BufferNeed[0], 1));
                },
                round -> run[0].context().life().fail(copy[0].info, "execute", null, one),
                round -> run[0].context().life().fail(copy[0].info, "execute", null, other),
                round -> {
                    assertEquals(Outcome.FAILED, run[0].report().outcome());
                    FlowFailedException told = assertInstanceOf(
                            FlowFailedException.class, run[0].context().life().failure());
                    assertEquals(1, told.getSuppressed().length);
                });
    }

    /** The monitor of UserCode, and its look at whether the run stops: user code that blocks is interrupted. */
    @Test
    void noUserCodeBlocksAfterTheStop() {
        AtomicBoolean stopping = new AtomicBoolean();
        UserCode[] code = new UserCode[1];
        Racers.race(
                1_000_000,
                round -> {
                    stopping.set(false);
                    code[0] = new UserCode(stopping::get, false);
                },
                round -> {
                    stopping.set(true);
                    boolean _ = code[0].interrupt();
                },
                round -> {
                    try {
                        code[0].run(() -> Watchdog.until(Thread.currentThread()::isInterrupted, "the interrupt"));
                    } catch (CancellationException stopped) {
                        assertTrue(stopping.get());
                    }
                },
                round -> {});
    }

    /** The monitor of UserCode: no interrupt reaches what comes after the user code. */
    @Test
    void noInterruptStaysBehindUserCode() {
        UserCode[] code = new UserCode[1];
        boolean[] stayed = new boolean[1];
        AtomicInteger interrupted = new AtomicInteger();
        Racers.race(
                1_000_000,
                round -> {
                    code[0] = new UserCode(() -> false, false);
                    interrupted.set(0);
                },
                round -> {
                    boolean _ = code[0].interrupt();
                    interrupted.set(1);
                },
                round -> {
                    code[0].run(() -> {});
                    Watchdog.until(
                            () -> interrupted.get() == 1
                                    || Thread.currentThread().isInterrupted(),
                            "the interrupt");
                    stayed[0] = Thread.interrupted();
                },
                round -> assertFalse(stayed[0]));
    }

    /** DedicatedThread.woken with its park: two threads wake each other in turns. */
    @Test
    void twoThreadsThatWakeEachOtherNeverBothSleep() {
        DedicatedThread one = new DedicatedThread();
        DedicatedThread other = new DedicatedThread();
        AtomicInteger turns = new AtomicInteger();
        CompletableFuture<Void> second = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            other.bind();
            turns.set(1);
            while (turns.get() >= 0) {
                other.sleep(0);
                one.wake();
            }
            second.complete(null);
        });
        Racers.race(
                100_000,
                round -> {
                    one.bind();
                    Watchdog.until(() -> turns.get() == 1, "the other thread");
                },
                round -> {
                    other.wake();
                    one.sleep(0);
                },
                round -> {},
                round -> {});
        turns.set(-1);
        other.wake();
        second.join();
    }

    /** The getAndAdd of RunLife.copyDone: the last copy ends the run. */
    @Test
    void theLastOfCopiesThatEndAtOnceEndsTheRun() {
        Run[] run = new Run[1];
        Racers.Part end = round -> run[0].context().life().copyDone();
        Racers.race(1_000_000, round -> run[0] = Racers.run(), end, end, round -> assertTrue(run[0].completed()));
    }

    /** The volatiles that somebody may watch in a loop: without, the compiler reads them once. */
    @Test
    void whoWatchesInALoopSeesTheChange() {
        Stage stage = StageTest.stage(ledger(), new BufferNeed[0], 1);
        stage.addProducers(1);
        Waiter waiter = new Waiter(pool(ledger(), true), 0, "test", true, 0);
        DedicatedThread own = new DedicatedThread();
        Run stopped = Racers.run();
        Run done = Racers.run();
        int changes = stage.changes();
        List<CompletableFuture<Void>> watchers = List.of(
                watch(() -> {
                    while (stage.changes() == changes) {}
                }),
                watch(() -> {
                    while (!stage.closed()) {}
                }),
                watch(() -> {
                    while (!own.isWoken()) {}
                }),
                watch(() -> {
                    while (!stopped.context().life().stopping()) {}
                }),
                watch(() -> {
                    while (!done.completed()) {}
                }),
                watch(() -> {
                    while (!waiter.answered()) {}
                }));
        Rounds.run(Integer.MAX_VALUE, round -> {}); // time to compile the loops
        stage.producerDone(null);
        own.wake();
        stopped.cancel();
        done.context().life().copyDone();
        done.context().life().copyDone();
        waiter.answer(Waiter.Answer.STOPPED);
        for (int i = 0; i < watchers.size(); i++) {
            Watchdog.until(watchers.get(i)::isDone, "watcher " + i + " sees the change");
        }
    }

    private static CompletableFuture<Void> watch(Runnable loop) {
        CompletableFuture<Void> seen = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            loop.run();
            seen.complete(null);
        });
        return seen;
    }
}

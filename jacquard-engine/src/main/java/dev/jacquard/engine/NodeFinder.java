package dev.jacquard.engine;

import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.engine.schedule.Aging;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.Wait;
import org.jspecify.annotations.Nullable;

/**
 * The part of a worker that finds the next node: the order in which the worker looks into its own deque, the queue of
 * its place, the inbox and the deques of others. Confined to the worker's steps.
 */
abstract class NodeFinder extends WorkerState {
    /** The most nodes that come before one made ready by {@link #readyBehind}. */
    private static final int MOST_BEFORE = 16;
    /** The least time between two wake-ups of waiting threads: one costs as much as a hundred small nodes. */
    private static final long TELL_PERIOD_NANOS = 200_000;
    /** Nodes that a lone worker of a waiting thread runs before one that the wait does not need. */
    private static final int MOST_PASSED_OVER = 1024;

    NodeFinder(WorkerPool pool, int index, Role role, @Nullable PlaceQueue queue, EngineOptions options) {
        super(pool, index, role, queue, options);
    }

    /** Like {@link #take}, with the policy instead of deques and inbox. */
    final @Nullable Node takeByPolicy(PolicyRunner policy) {
        if (away) {
            away = false;
        }
        if (isLookUpDue()) {
            lookUp();
            Node inline = next;
            if (inline != null) {
                next = null;
                pool.send(inline); // a chain without end must not starve the others
            }
        }
        if (queue != null && !queue.isEmpty()) {
            Node its = queue.poll();
            if (its != null) {
                shareNext();
                return its;
            }
        }
        Node node = next;
        if (node != null) {
            next = null;
            return node;
        }
        return role == Role.HOST ? policy.pop(this) : null;
    }

    /** The node to run next, by all that there is to look at; null when there is none. */
    final @Nullable Node choose() {
        if (scheduler != null) {
            return takeByPolicy(scheduler);
        }
        Wait its = need;
        return its == null || news == null ? take() : takeNeeded(its, news);
    }

    final @Nullable Node take() {
        if (isLookUpDue()) {
            long now = lookUp();
            Node old = switch (aging.look(deque, now, nodes)) {
                case NONE -> null;
                case OWN -> deque.steal(); // nodes that make themselves ready again must not starve it
                case ANY -> oldest();
            };
            if (old != null) {
                tookFromInbox = false;
                shareNext();
                // As if the old node, which runs next, had pushed the newer ones: readyBehind puts it below that again.
                pushedBy = nodes + 1;
                pushes = (int) deque.size();
                return old;
            }
        }
        if (queue != null && !queue.isEmpty()) {
            Node its = queue.poll(); // first: no other worker may run these; null when a colleague was faster
            if (its != null) {
                shareNext();
                return its;
            }
        }
        if (news != null && news.any()) {
            Node its = takeNews(news);
            if (its != null) {
                shareNext();
                return its;
            }
        } else if (tookFromInbox) {
            tookFromInbox = false; // other nodes have had their turn
        }
        Node node = takeOwn();
        if (node == null && role == Role.HOST) {
            node = pool.fromInbox();
            return node == null ? steal() : node;
        }
        return node;
    }

    /**
     * The oldest node of another worker that has at least two more than this one, which follows a chain, else its own.
     * So chains are shared evenly, and none of them is left to the end. One other worker is asked at a time.
     */
    private @Nullable Node oldest() {
        if (next != null && role == Role.HOST && pool.victims.length > 1) {
            victim = nextVictim();
            WorkDeque<Node> its = pool.victims[victim];
            Node theirs = its.size() > deque.size() + 1 ? its.oldestElement() : null;
            Node node = theirs != null && (need == null || need.needs(theirs)) ? its.steal() : null;
            if (node != null) {
                return node;
            }
        }
        return deque.steal();
    }

    /** Takes the node that runs next, or the newest node of the worker's own. */
    final @Nullable Node takeOwn() {
        Node node = next;
        if (node == null) {
            return deque.pop();
        }
        next = null;
        return node;
    }

    private @Nullable Node takeNews(News from) {
        Node node = tookFromInbox || !from.hasInbox() ? null : pool.fromInbox();
        tookFromInbox = node != null; // now, since the next work of this worker may be long, and never end
        return node == null ? from.pollAside() : node; // no thread puts aside enough to hold up anything for long
    }

    /** Like {@link #take}, by a thread that waits. */
    private @Nullable Node takeNeeded(Wait wait, News from) {
        if (!metOthers) {
            tookFromInbox &= from.any(); // the look before may be long ago
            Node node = take();
            if (node == null || mayRun(node, wait)) {
                return node;
            }
            metOthers = true; // looks at the nodes of others before it steals them, from now on
            pool.setAside(node);
        }
        return takeFor(wait);
    }

    /**
     * Like {@link #take}, by a thread that runs only nodes that {@code wait} needs. The other workers get other nodes
     * that it finds; without other workers it runs these too, when it finds none that the wait needs, and now and then.
     */
    private @Nullable Node takeFor(Wait wait) {
        if (isLookUpDue()) {
            lookUp();
        }
        if (queue != null && !queue.isEmpty()) {
            shareNext();
            return queue.poll(); // no other worker may run these
        }
        leftOthers = false;
        if (news == null) {
            return take(); // not a worker of the host
        }
        Aside aside = news.aside;
        boolean alone = pool.crew.isAloneOnHost();
        for (Node node = takeNewsOrOwn(news); node != null; node = takeNewsOrOwn(news)) {
            if (mayRun(node, wait)) {
                if (!alone || aside.isEmpty() || ++passedOver < MOST_PASSED_OVER) {
                    return node;
                }
                passedOver = 0; // endless work must not starve the others
                deque.push(node);
                return news.pollAside();
            }
            leftOthers = true;
            pool.setAside(node);
        }
        Node stolen = stealFor(wait);
        if (stolen != null) {
            return stolen;
        }
        if (aside.isEmpty()) {
            return null;
        }
        Node node = news.pollAsideFor(wait);
        if (node == null && alone) {
            node = news.pollAside();
        }
        leftOthers |= node == null;
        return node;
    }

    /** The next node that no other worker has to be asked for; null when there is none. */
    private @Nullable Node takeNewsOrOwn(News from) {
        Node node = tookFromInbox || !from.hasInbox() ? null : pool.fromInbox();
        tookFromInbox = node != null;
        if (node != null) {
            shareNext();
            return node;
        }
        return takeOwn();
    }

    /**
     * Returns true when the thread may run {@code node} while it is in {@code wait}: the wait needs the node, no other
     * worker may run it, or there is no other worker that could run the submissions of threads without one.
     */
    private boolean mayRun(Node node, Wait wait) {
        return !node.isForHost() || (tookFromInbox && pool.crew.isAloneOnHost()) || wait.needs(node);
    }

    /** Steals a node that {@code wait} needs, and leaves others where they are. */
    private @Nullable Node stealFor(Wait wait) {
        for (WorkDeque<Node> its : pool.victims) {
            Node oldest = its == deque ? null : its.oldestElement();
            if (oldest == null) {
                continue;
            }
            Node node = wait.needs(oldest) ? its.steal() : null;
            if (node == oldest) {
                return node;
            }
            leftOthers = true;
            if (node != null) { // another one by now
                pool.setAside(node);
            }
        }
        return null;
    }

    private @Nullable Node steal() {
        // Not by way of the other workers: their fields change with each of their steps.
        WorkDeque<Node>[] all = pool.victims;
        if (all.length == 1) {
            return null;
        }
        long now = pool.clock.nanoTime();
        backoff.outOfWork(now);
        if (backoff.isDue(now)) {
            backoff.look(now, nodesOfBoth());
        }
        if (backoff.isAway()) {
            return null;
        }
        for (int tries = 1; tries < all.length; tries++) {
            victim = nextVictim();
            WorkDeque<Node> its = all[victim];
            Node node = its.steal();
            if (node != null) {
                if (backoff.isFresh()) {
                    robbed = victim;
                    backoff.begin(now, nodesOfBoth());
                }
                backoff.took(now);
                if (its.isEmpty()) {
                    backoff.emptied(victim, pool.crew.nodesOf(victim));
                } else {
                    pool.sleepers.wakeOne(); // nodes readied together are announced once: each thief wakes the next
                }
                return node;
            }
        }
        return null;
    }

    /** Returns the number of the next deque of another worker. There is another. */
    private int nextVictim() {
        int all = pool.victims.length;
        int following = (victim + 1) % all;
        return following == index ? (following + 1) % all : following;
    }

    /** Returns the number of nodes that this worker has run, and the one from which it stole first. */
    private int nodesOfBoth() {
        return nodes + pool.crew.nodesOf(robbed);
    }

    /** Returns true once per period of nodes, and of looks that found none: see {@link #lookUpMask}. */
    private boolean isLookUpDue() {
        return (nodes & lookUpMask) == 0 || (++looks & lookUpMask) == 0;
    }

    /**
     * Wakes the threads that wait for something that this worker may have done, though it does not run out of other
     * work. Says when the next look is due: sooner where nodes are long.
     *
     * @return the time
     */
    private long lookUp() {
        long now = pool.clock.nanoTime();
        lookUpMask = Aging.nextMask(lookUpMask, now - lookedUp);
        lookedUp = now;
        if (pool.waiters.any() && now - told >= TELL_PERIOD_NANOS) {
            told = now;
            pool.waiters.wake();
        }
        return now;
    }

    /** Another node runs before the next one, perhaps for long: others may take that. */
    final void shareNext() {
        Node node = next;
        if (node != null) {
            next = null;
            ready(node);
        }
    }

    @Override
    public final void ready(Node node) {
        if (home && node.isForHost()) {
            deque.push(node);
            pushes = pushedBy == nodes ? pushes + 1 : 1;
            pushedBy = nodes;
            pool.announce();
        } else {
            pool.send(node);
        }
    }

    @Override
    public final void readyBeside(Node node) {
        if (home) {
            deque.push(node);
            announceLater();
        } else {
            pool.send(node);
        }
    }

    /** Leaves the announcement to the end of the node, or to the part that follows. */
    private void announceLater() {
        unannounced = true;
        lastInRow = nodes;
    }

    @Override
    public final void readyBehind(Node node) {
        if (!(home && node.isForHost())) {
            readyAtEnd(node);
            return;
        }
        // Thieves take the oldest: as many as are left of the pushes of the running node are the newest, or there is
        // none.
        int newer = pushedBy == nodes ? Math.min(pushes, MOST_BEFORE) : 0;
        Node first = next;
        if (first == null && newer > 0) {
            first = deque.pop();
            newer--;
        }
        if (first == null) {
            next = node;
        } else {
            next = first;
            pushBelow(node, newer);
            announceLater();
        }
    }

    /** Puts {@code node} below the {@code newer} newest nodes. */
    private void pushBelow(Node node, int newer) {
        Node above = newer == 0 ? null : deque.pop();
        if (above == null) {
            deque.push(node);
        } else {
            pushBelow(node, newer - 1);
            deque.push(above);
        }
    }

    @Override
    public final void readyAtEnd(Node node) {
        if (!((home || inlines) && node.isForHost())) {
            pool.send(node);
            return;
        }
        Node earlier = next;
        next = node;
        if (earlier != null) {
            if (inlines) {
                pool.send(earlier);
            } else {
                deque.push(earlier);
                announceLater();
            }
        }
    }
}

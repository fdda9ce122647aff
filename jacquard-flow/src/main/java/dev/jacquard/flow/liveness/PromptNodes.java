package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.NetworkModel.Out;
import java.util.Map;

/**
 * The nodes whose items, once they are ready, may as well be next in a search in any order: to execute them takes no
 * step away from other items, which get no less free buffers by it, and which the items that come of it block no more
 * than before. So each state in which nothing moves is reached with these items first, too.
 *
 * <p>Threads: confined to the thread of the search.
 */
final class PromptNodes {
    private final NetworkModel model;
    private final boolean[] prompt;

    PromptNodes(NetworkModel model) {
        this.model = model;
        this.prompt = new boolean[model.outs.length];
        for (int node = 0; node < prompt.length; node++) {
            prompt[node] = isPrompt(node);
        }
    }

    /** Returns true if an item at {@code node} that has its buffers may as well be next. */
    boolean has(int node) {
        return prompt[node];
    }

    private boolean isPrompt(int node) {
        int depth = model.isTaker(node) ? model.asking.depthPast(node) : model.asking.depthHere(node);
        for (Out out : model.outs[node]) {
            if (out.counter() >= 0) {
                return false; // it matters which items are collected together
            }
            for (int to : out.consumers()) {
                if (blocksMore(to, depth)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns true if some item waits for an item at {@code to}, and for none with the same needs at {@code depth}. */
    private boolean blocksMore(int to, int depth) {
        for (int node = 0; node < prompt.length; node++) {
            int its = model.asking.depthHere(node);
            if (model.isFirst(node) && its >= depth && its < model.asking.depthHere(to) && asksTheSame(to, node)) {
                return true;
            }
        }
        return false;
    }

    private boolean asksTheSame(int to, int node) {
        for (Map.Entry<Integer, Integer> need :
                model.net.nodes().get(node).takes().entrySet()) {
            if (model.asking.asks(need.getKey(), to)) {
                return true;
            }
        }
        return false;
    }
}

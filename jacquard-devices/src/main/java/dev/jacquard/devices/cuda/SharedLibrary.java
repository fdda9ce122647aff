package dev.jacquard.devices.cuda;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/**
 * A library that this process has loaded, for ever.
 *
 * @param name under which it was found: a file, or a name on the loader's path
 */
record SharedLibrary(String name, SymbolLookup lookup) implements Symbols {
    @Override
    public MemorySegment find(String function, FunctionDescriptor type) {
        return lookup.find(function).orElseThrow(() -> new IllegalStateException("it has no function " + function));
    }

    @Override
    public boolean has(String function) {
        return lookup.find(function).isPresent();
    }
}

package dev.jacquard.base.foreign;

import dev.jacquard.base.foreign.Binding.IfPresent;
import dev.jacquard.base.foreign.Binding.Status;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** The functions of the C library that this package calls. Some systems lack some of them. */
@Status
interface CLibrary {
    /** The C library of this process. */
    CLibrary C = Binding.of(MethodHandles.lookup(), CLibrary.class).to(NativeLibrary.ofC());

    @IfPresent
    void setenv(MemorySegment name, MemorySegment value, int overwrite);

    @IfPresent
    void unsetenv(MemorySegment name);

    long getenv(MemorySegment name);

    @IfPresent
    void sigaction(int signal, MemorySegment action, MemorySegment previous);

    @IfPresent
    long dlopen(MemorySegment name, int flags);

    @IfPresent
    long dlerror();

    /** Returns 0 if no library has the address. */
    @IfPresent
    int dladdr(long address, MemorySegment info);
}

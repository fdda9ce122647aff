/**
 * The ground for native code: libraries are found and loaded, their functions bound to interfaces and called.
 *
 * <pre>
 *  names, folders, variables --LibrarySearch--> Found: NativeLibrary, or the reason of its absence
 *  interface + NativeLibrary --Binding--> hidden class (CallClass) that implements the interface
 *                                           each method: constant handle (LinkedCalls, on first call) --> C function
 *                                           status != 0: StatusFailure --> exception
 *
 *  before loading:  NativeEnvironment: variables that the library reads
 *  around loading:  SignalHandlers: handlers that the library must not keep
 * </pre>
 *
 * <p>No other package of the project links native code. A native mistake ends the process, so the interface of a
 * library is a table that tests compare with the vendor's header ({@link dev.jacquard.base.foreign.Binding#functions}).
 * A further library is one package elsewhere: a search, an interface, and the text of its statuses.
 *
 * <p>On the module path {@code --enable-native-access=dev.jacquard.base} covers all libraries.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.foreign;

import org.jspecify.annotations.NullMarked;

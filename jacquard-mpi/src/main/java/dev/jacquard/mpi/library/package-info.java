/**
 * The MPI library of this process: which launcher asks for it, where it is, its constants, its functions.
 *
 * <pre>
 *  environment ──▶ Launched ──▶ Implementation: search ──▶ NativeLibrary ──▶ Abi: handles, thread levels, keys
 *                     │                                        │
 *                     ▼ rank and size fit?                     ▼
 *                    Mpi ◀── MPI_Init_thread ◀────────── MpiFunctions
 * </pre>
 *
 * <p>To add an implementation with other file names, add a value to {@code Implementation}; one with other constants is
 * a further {@code Abi}.
 *
 * <p>Imports: {@code base.foreign}, {@code cluster.communicator}.
 */
@NullMarked
package dev.jacquard.mpi.library;

import org.jspecify.annotations.NullMarked;

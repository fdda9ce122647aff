/**
 * Graphics processors of NVIDIA, and the vendor's libraries on their streams, called by {@code base.foreign}.
 *
 * <pre>
 *  CudaProvider ─▶ CudaOffer ─▶ CudaDevice ─┬─▶ CudaBuffer, CudaPinned   memory
 *                                           ├─▶ CudaStream ─▶ CudaEvent  Copies, launches (Grid, LaunchArguments)
 *                                           └─▶ CudaKernel               source ─Nvrtc─▶ image ─ProgramCache─▶ function
 *  Cublas, Cufft, Cusolver ── on a DeviceStream
 *  ──────────────────────────────────────────────────────────────────────────────────────────────────────
 *  Driver, Nvrtc: interfaces of functions, in libraries that CudaLibraries finds
 * </pre>
 *
 * <p>Calls that can fail are checked by {@link dev.jacquard.devices.cuda.CudaContext}, which also makes itself the
 * calling thread's context; a failure on a stream is kept by the stream and comes out of its events. A device has one
 * context, the <i>primary</i> one, which the vendor's libraries use too. No function of the vendor calls back.
 *
 * <p>Source: the vendor's <i>CUDA Driver API</i> and <i>NVRTC</i> reference manuals, version 13.0; names of constants
 * are theirs.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.foreign}, {@code base.machine},
 * {@code memory.device}.
 */
@NullMarked
package dev.jacquard.devices.cuda;

import org.jspecify.annotations.NullMarked;

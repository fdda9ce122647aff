#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void hadamard(global const double* a, global const double* b, global double* c, long n) {
    long i = get_global_id(0);
    if (i < n) {
        c[i] = a[i] * b[i];
    }
}

extern "C" __global__ void hadamard(const double* a, const double* b, double* c, long long n) {
    long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] * b[i];
    }
}

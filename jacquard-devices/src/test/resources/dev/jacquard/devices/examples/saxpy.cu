// y += a x. Threads beyond n, of which a device may run some, do nothing.
extern "C" __global__ void saxpy(float a, const float* x, float* y, long long n) {
    long long i = blockIdx.x * (long long) blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] += a * x[i];
    }
}

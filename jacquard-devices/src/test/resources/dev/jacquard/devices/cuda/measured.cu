// What scripts/check-cuda measures: a launch that does nothing, and work whose length can be set.

extern "C" __global__ void nothing(int) {}

extern "C" __global__ void spin(float* x, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value = x[i];
        for (int round = 0; round < rounds; round++) value = value * 0.999f + 0.5f;
        x[i] = value;
    }
}

// Loses the device: check-cuda runs it in a process of its own.
extern "C" __global__ void crash(int* at) { *at = 1; }

// What the loop of tasks does: each item folds all that the task reads, and writes one element. Numbers wrap, as in Java.

static __device__ unsigned long long fold(const unsigned long long* read, unsigned long long n, unsigned long long start) {
    unsigned long long fold = start;
    for (unsigned long long i = 0; i < n; i++) {
        fold = fold * 31 + read[i];
    }
    return fold;
}

static __device__ void mix(unsigned long long* written, unsigned long long n, unsigned long long number, int flags, unsigned long long folded) {
    unsigned long long i = blockIdx.x * (unsigned long long) blockDim.x + threadIdx.x;
    if (i < n) {
        written[i] = ((flags & 1) != 0 ? written[i] * 31 : 0) + folded * 7 + number + i * 1000003;
    }
}

extern "C" __global__ void mix0(unsigned long long number, int flags, unsigned long long* written, unsigned long long n) {
    mix(written, n, number, flags, 0);
}

extern "C" __global__ void mix1(unsigned long long number, int flags, const unsigned long long* a, unsigned long long* written, unsigned long long na, unsigned long long n) {
    mix(written, n, number, flags, fold(a, na, 0));
}

extern "C" __global__ void mix2(unsigned long long number, int flags, const unsigned long long* a, const unsigned long long* b, unsigned long long* written, unsigned long long na, unsigned long long nb, unsigned long long n) {
    mix(written, n, number, flags, fold(b, nb, fold(a, na, 0)));
}

extern "C" __global__ void mix3(unsigned long long number, int flags, const unsigned long long* a, const unsigned long long* b, const unsigned long long* c, unsigned long long* written, unsigned long long na, unsigned long long nb, unsigned long long nc, unsigned long long n) {
    mix(written, n, number, flags, fold(c, nc, fold(b, nb, fold(a, na, 0))));
}

// y += a * x, of n elements; work items beyond n do nothing.
kernel void axpy(int n, float a, global const float* x, global float* y) {
    size_t i = get_global_id(0);
    if (i < n) {
        y[i] += a * x[i];
    }
}

// x *= a, in double precision.
kernel void scale(long n, double a, global double* x) {
    size_t i = get_global_id(0);
    if (i < n) {
        x[i] *= a;
    }
}

kernel void nothing(void) {}

kernel void with_local(local float* scratch, global float* x) {
    scratch[get_local_id(0)] = x[get_global_id(0)];
}

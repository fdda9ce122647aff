// y += a x. Work items beyond n, of which a device may run some, do nothing.
kernel void saxpy(float a, global const float* x, global float* y, long n) {
    long i = get_global_id(0);
    if (i < n) {
        y[i] += a * x[i];
    }
}

// c += a b for blocks of side x side elements, row by row. One thread per element of c; those beyond do nothing.
extern "C" __global__ void gemm(int side, const double* a, const double* b, double* c, long long items) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < side && column < side) {
        double sum = c[row * side + column];
        for (int k = 0; k < side; k++) {
            sum += a[row * side + k] * b[k * side + column];
        }
        c[row * side + column] = sum;
    }
}

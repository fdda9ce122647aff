// c += a b, row by row. One thread per element of c; those beyond do nothing.
extern "C" __global__ void gemm(const double* a, long long aRows, long long inner, const double* b, long long bRows,
        long long bColumns, double* c, long long rows, long long columns) {
    long long column = blockIdx.x * blockDim.x + threadIdx.x;
    long long row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) {
        double sum = c[row * columns + column];
        for (long long k = 0; k < inner; k++) {
            sum += a[row * inner + k] * b[k * columns + column];
        }
        c[row * columns + column] = sum;
    }
}

// Each point of a block becomes the mean of its four neighbours in a block with a halo of one. One thread per point.
extern "C" __global__ void mean(
        const double* from, long long fromRows, long long fromColumns, double* to, long long rows, long long columns) {
    long long j = blockIdx.x * blockDim.x + threadIdx.x;
    long long i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns) {
        const double* above = from + i * fromColumns + j + 1;
        const double* beside = above + fromColumns - 1;
        to[i * columns + j] = (above[0] + beside[0] + beside[2] + above[2 * fromColumns]) / 4;
    }
}

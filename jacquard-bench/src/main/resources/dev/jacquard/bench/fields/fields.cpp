// Loops over fields as they are written by hand: one thread, the memory laid out as Jacquard lays out its fields.
//
// The program is started as    NAME TYPE DIMENSIONS CELLS GHOSTS    for a grid of CELLS cells along each axis of the unit square
// or cube, with values of TYPE float64 or float32, and prints "ready". Then, for each line that it reads,
//   round KERNEL TIMES    clears the result, runs the loop that often, and prints the nanoseconds that took and the sum of the
//                         result's values, each with its weight.
// It ends with its input. What a loop needs is made when the loop is first asked for.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

#define LOOP __attribute__((noinline, noclone))
#define IN const Real* __restrict
#define OUT Real* __restrict

// The value of an input at a point, the same as in Java.
static double valueAt(int field, int x, int y, int z) {
  uint32_t mixed = (static_cast<uint32_t>(x) * 73856093u) ^ (static_cast<uint32_t>(y) * 19349663u) ^
                   (static_cast<uint32_t>(z) * 83492791u);
  return ((mixed + static_cast<uint32_t>(field) * 40503u) >> 10 & 1023) / 1024.0 - 0.5;
}

// What sums weigh a value with.
static double weightAt(int x, int y, int z) { return 1 + ((x + 3 * y + 5 * z) & 7); }

struct Grid {
  int dimensions;
  int cells;
  int ghosts;
  long sy;  // elements from one row to the next, and from one plane to the next, of all fields
  long sz;
  double h;

  int ny() const { return dimensions > 1 ? cells : 1; }
  int nz() const { return dimensions > 2 ? cells : 1; }
  int ghostsOf(int axis) const { return axis < dimensions ? ghosts : 0; }
};

// Rows begin on boundaries of 64 bytes, and fields at different places of a page.
template <class Real>
class Field {
  std::unique_ptr<char, void (*)(void*)> block{nullptr, std::free};

 public:
  Real* at = nullptr;  // the first point that is no ghost

  Field(const Grid& grid, int number) {
    long line = 64 / sizeof(Real);
    long before = (grid.ghostsOf(0) + line - 1) / line * line + grid.ghostsOf(1) * grid.sy + grid.ghostsOf(2) * grid.sz;
    long shift = number * 9 % 64 * line;
    size_t elements = grid.sz * (grid.nz() + 2 * grid.ghostsOf(2)) + 2 * line + shift;
    block.reset(static_cast<char*>(std::aligned_alloc(64, (elements * sizeof(Real) + 127) / 64 * 64)));
    if (!block) std::exit(3);
    std::memset(block.get(), 0, elements * sizeof(Real));
    at = reinterpret_cast<Real*>(block.get()) + shift + before;
  }

  void set(const Grid& grid, int number) {
    int gx = grid.ghostsOf(0), gy = grid.ghostsOf(1), gz = grid.ghostsOf(2);
    for (int z = -gz; z < grid.nz() + gz; z++)
      for (int y = -gy; y < grid.ny() + gy; y++)
        for (int x = -gx; x < grid.cells + 1 + gx; x++) at[z * grid.sz + y * grid.sy + x] = valueAt(number, x, y, z);
  }
};

// ---- div(faces(k) * grad(T))

template <class Real>
__attribute__((always_inline)) inline void heatRow(OUT out, IN T, IN k, long i0, int nx, long sy, long sz, Real c) {
  for (long i = i0; i < i0 + nx; i++) {
    out[i] = c * ((k[i] + k[i + 1]) * (T[i + 1] - T[i]) - (k[i - 1] + k[i]) * (T[i] - T[i - 1]) +
                  (k[i] + k[i + sy]) * (T[i + sy] - T[i]) - (k[i - sy] + k[i]) * (T[i] - T[i - sy]) +
                  (k[i] + k[i + sz]) * (T[i + sz] - T[i]) - (k[i - sz] + k[i]) * (T[i] - T[i - sz]));
  }
}

template <class Real>
LOOP void heat(const Grid& g, OUT out, IN T, IN k) {
  Real c = 0.5 / (g.h * g.h);
  for (int z = 0; z < g.nz(); z++)
    for (int y = 0; y < g.ny(); y++) heatRow<Real>(out, T, k, z * g.sz + y * g.sy, g.cells, g.sy, g.sz, c);
}

template <class Real>
LOOP void heatTiled(const Grid& g, OUT out, IN T, IN k) {
  constexpr int Y = 16, Z = 32;
  Real c = 0.5 / (g.h * g.h);
  for (int z0 = 0; z0 < g.nz(); z0 += Z)
    for (int y0 = 0; y0 < g.ny(); y0 += Y)
      for (int z = z0; z < std::min(z0 + Z, g.nz()); z++)
        for (int y = y0; y < std::min(y0 + Y, g.ny()); y++)
          heatRow<Real>(out, T, k, z * g.sz + y * g.sy, g.cells, g.sy, g.sz, c);
}

// ---- other loops

template <class Real>
LOOP void triad(Real* __restrict a, IN b, IN c, Real s, long n) {
  for (long i = 0; i < n; i++) a[i] = b[i] + s * c[i];
}

// The Laplacian of fourth order.
template <class Real>
LOOP void order4(const Grid& g, OUT out, IN T) {
  Real h2 = 1 / (g.h * g.h), w0 = -7.5 * h2, w1 = 4.0 / 3 * h2, w2 = -1.0 / 12 * h2;
  long sy = g.sy, sz = g.sz;
  for (int z = 0; z < g.nz(); z++)
    for (int y = 0; y < g.ny(); y++)
      for (long i = z * sz + y * sy; i < z * sz + y * sy + g.cells; i++)
        out[i] = w0 * T[i] + w1 * T[i - 1] + w1 * T[i + 1] + w1 * T[i - sy] + w1 * T[i + sy] + w1 * T[i - sz] +
                 w1 * T[i + sz] + w2 * T[i - 2] + w2 * T[i + 2] + w2 * T[i - 2 * sy] + w2 * T[i + 2 * sy] +
                 w2 * T[i - 2 * sz] + w2 * T[i + 2 * sz];
}

template <class Real>
LOOP void order4Grouped(const Grid& g, OUT out, IN T) {
  Real h2 = 1 / (g.h * g.h), w0 = -7.5 * h2, w1 = 4.0 / 3 * h2, w2 = -1.0 / 12 * h2;
  long sy = g.sy, sz = g.sz;
  for (int z = 0; z < g.nz(); z++)
    for (int y = 0; y < g.ny(); y++)
      for (long i = z * sz + y * sy; i < z * sz + y * sy + g.cells; i++)
        out[i] = w0 * T[i] + w1 * (T[i - 1] + T[i + 1] + T[i - sy] + T[i + sy] + T[i - sz] + T[i + sz]) +
                 w2 * (T[i - 2] + T[i + 2] + T[i - 2 * sy] + T[i + 2 * sy] + T[i - 2 * sz] + T[i + 2 * sz]);
}

// The Laplacian of 27 points: the neighbours at faces, edges and corners each have a weight.
template <class Real>
LOOP void points27(const Grid& g, OUT out, IN T) {
  Real h2 = 1 / (g.h * g.h), w0 = -128.0 / 30 * h2, w1 = 14.0 / 30 * h2, w2 = 3.0 / 30 * h2, w3 = 1.0 / 30 * h2;
  long sy = g.sy, sz = g.sz;
  for (int z = 0; z < g.nz(); z++)
    for (int y = 0; y < g.ny(); y++)
      for (long i = z * sz + y * sy; i < z * sz + y * sy + g.cells; i++) {
        IN d = T + i - sz;
        IN m = T + i;
        IN u = T + i + sz;
        out[i] = w3 * d[-sy - 1] + w2 * d[-sy] + w3 * d[-sy + 1] + w2 * d[-1] + w1 * d[0] + w2 * d[1] +
                 w3 * d[sy - 1] + w2 * d[sy] + w3 * d[sy + 1] +                                      //
                 w2 * m[-sy - 1] + w1 * m[-sy] + w2 * m[-sy + 1] + w1 * m[-1] + w0 * m[0] + w1 * m[1] +
                 w2 * m[sy - 1] + w1 * m[sy] + w2 * m[sy + 1] +                                      //
                 w3 * u[-sy - 1] + w2 * u[-sy] + w3 * u[-sy + 1] + w2 * u[-1] + w1 * u[0] + w2 * u[1] +
                 w3 * u[sy - 1] + w2 * u[sy] + w3 * u[sy + 1];
      }
}

template <class Real>
LOOP void points27Grouped(const Grid& g, OUT out, IN T) {
  Real h2 = 1 / (g.h * g.h), w0 = -128.0 / 30 * h2, w1 = 14.0 / 30 * h2, w2 = 3.0 / 30 * h2, w3 = 1.0 / 30 * h2;
  long sy = g.sy, sz = g.sz;
  for (int z = 0; z < g.nz(); z++)
    for (int y = 0; y < g.ny(); y++)
      for (long i = z * sz + y * sy; i < z * sz + y * sy + g.cells; i++) {
        IN d = T + i - sz;
        IN m = T + i;
        IN u = T + i + sz;
        out[i] = w0 * m[0] + w1 * (m[-1] + m[1] + m[-sy] + m[sy] + d[0] + u[0]) +
                 w2 * (m[-sy - 1] + m[-sy + 1] + m[sy - 1] + m[sy + 1] + d[-sy] + d[sy] + d[-1] + d[1] + u[-sy] + u[sy] +
                       u[-1] + u[1]) +
                 w3 * (d[-sy - 1] + d[-sy + 1] + d[sy - 1] + d[sy + 1] + u[-sy - 1] + u[-sy + 1] + u[sy - 1] + u[sy + 1]);
      }
}

template <class Real>
LOOP void plane(const Grid& g, OUT out, IN T) {
  Real c = 1 / (g.h * g.h);
  long sy = g.sy;
  for (int y = 0; y < g.ny(); y++)
    for (long i = y * sy; i < y * sy + g.cells; i++)
      out[i] = c * (T[i - 1] + T[i + 1] + T[i - sy] + T[i + sy] - 4 * T[i]);
}

// The Laplacian of c^3 - c - (the Laplacian of c), in two passes: the second one reads what the first one keeps.
template <class Real>
LOOP void potential(const Grid& g, OUT out, IN c) {
  Real h2 = 1 / (g.h * g.h);
  long sy = g.sy;
  for (int y = -1; y < g.ny() + 1; y++)
    for (long i = y * sy - 1; i < y * sy + g.cells + 1; i++)
      out[i] = c[i] * c[i] * c[i] - c[i] - h2 * (c[i - 1] + c[i + 1] + c[i - sy] + c[i + sy] - 4 * c[i]);
}

// The flux across x, on faces: one more along x.
template <class Real>
LOOP void face(const Grid& g, OUT out, IN T, IN k) {
  Real c = 0.5 / g.h;
  for (int z = 0; z < g.nz(); z++)
    for (int y = 0; y < g.ny(); y++)
      for (long i = z * g.sz + y * g.sy; i <= z * g.sz + y * g.sy + g.cells; i++)
        out[i] = c * (T[i] - T[i - 1]) * (k[i - 1] + k[i]);
}

// What the velocity on the faces across x carries: the value of the cell that it comes from.
template <class Real>
LOOP void whereRow(OUT out, IN T, IN v, long n) {  // a function of its own: inlined, GCC 12 makes branches of it
  for (long i = 0; i < n; i++) {
    Real u = v[i], before = T[i - 1], here = T[i];
    out[i] = u * (u < 0 ? here : before);
  }
}

template <class Real>
LOOP void where(const Grid& g, OUT out, IN T, IN v) {
  for (int z = 0; z < g.nz(); z++)
    for (int y = 0; y < g.ny(); y++) {
      long row = z * g.sz + y * g.sy;
      whereRow<Real>(out + row, T + row, v + row, g.cells + 1);
    }
}

template <class Real>
LOOP void expLoop(const Grid& g, OUT out, IN a) {
  for (int i = 0; i < g.cells; i++) out[i] = std::exp(a[i]);
}

// ---- rounds

// A result, its inputs, and the loop over them.
template <class Real>
class Kernel {
  const Grid& grid;
  const bool onFaces;
  std::vector<Field<Real>> fields;  // the result, then the inputs
  std::function<void(Real*, const Real*, const Real*)> loop;

 public:
  Kernel(const Grid& g, int inputs, bool faces, std::function<void(Real*, const Real*, const Real*)> its)
      : grid(g), onFaces(faces), loop(std::move(its)) {
    for (int i = 0; i <= inputs; i++) {
      fields.emplace_back(grid, i);
      if (i > 0) fields.back().set(grid, i - 1);
    }
  }

  void round(long times) {
    Real* out = fields[0].at;
    const Real* one = fields[1].at;
    const Real* other = fields.back().at;
    each([&](Real& value, int, int, int) { value = 0; });
    auto start = Clock::now();
    for (long i = 0; i < times; i++) loop(out, one, other);
    auto nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
    double sum = 0;
    each([&](Real& value, int x, int y, int z) { sum += value * weightAt(x, y, z); });
    std::printf("%ld %.17g\n", static_cast<long>(nanos), sum);
    std::fflush(stdout);
  }

 private:
  template <class What>
  void each(What what) {
    for (int z = 0; z < grid.nz(); z++)
      for (int y = 0; y < grid.ny(); y++)
        for (int x = 0; x < grid.cells + onFaces; x++) what(fields[0].at[z * grid.sz + y * grid.sy + x], x, y, z);
  }
};

template <class Real>
class Kernels {
  const Grid grid;
  const Grid packed;  // STREAM's arrays: nothing lies between their rows
  std::map<std::string, std::unique_ptr<Kernel<Real>>> made;

  static Grid gridOf(int dimensions, int cells, int ghosts) {
    Grid g{dimensions, cells, ghosts, 0, 0, 1.0 / cells};
    long line = 64 / sizeof(Real);
    g.sy = (cells + 1 + 2 * ghosts + line - 1) / line * line;
    g.sz = g.sy * (g.ny() + 2 * g.ghostsOf(1));
    return g;
  }

  static Grid packedOf(int dimensions, int cells) {
    Grid g{dimensions, cells, 0, cells, 0, 1.0 / cells};
    g.sz = static_cast<long>(cells) * g.ny();
    return g;
  }

 public:
  Kernels(int dimensions, int cells, int ghosts)
      : grid(gridOf(dimensions, cells, ghosts)), packed(packedOf(dimensions, cells)) {}

  Kernel<Real>* named(const std::string& name) {
    std::unique_ptr<Kernel<Real>>& kernel = made[name];
    if (!kernel) kernel.reset(make(name));
    return kernel.get();
  }

 private:
  using R = const Real*;

  Kernel<Real>* make(const std::string& name) {
    const Grid& g = grid;
    auto of = [&](int inputs, bool faces, auto loop) { return new Kernel<Real>(g, inputs, faces, loop); };
    if (name == "heat") return of(2, false, [&g](Real* out, R a, R b) { heat<Real>(g, out, a, b); });
    if (name == "heat-tiled") return of(2, false, [&g](Real* out, R a, R b) { heatTiled<Real>(g, out, a, b); });
    if (name == "order4") return of(1, false, [&g](Real* out, R a, R) { order4<Real>(g, out, a); });
    if (name == "order4-grouped") return of(1, false, [&g](Real* out, R a, R) { order4Grouped<Real>(g, out, a); });
    if (name == "points27") return of(1, false, [&g](Real* out, R a, R) { points27<Real>(g, out, a); });
    if (name == "points27-grouped") return of(1, false, [&g](Real* out, R a, R) { points27Grouped<Real>(g, out, a); });
    if (name == "plane") return of(1, false, [&g](Real* out, R a, R) { plane<Real>(g, out, a); });
    if (name == "cahn-hilliard") {
      auto between = std::make_shared<Field<Real>>(g, 2);
      return of(1, false, [&g, between](Real* out, R a, R) {
        potential<Real>(g, between->at, a);
        plane<Real>(g, out, between->at);
      });
    }
    if (name == "face") return of(2, true, [&g](Real* out, R a, R b) { face<Real>(g, out, a, b); });
    if (name == "where") return of(2, true, [&g](Real* out, R a, R b) { where<Real>(g, out, a, b); });
    if (name == "exp") return of(1, false, [&g](Real* out, R a, R) { expLoop<Real>(g, out, a); });
    if (name == "triad") {
      long n = packed.sz * packed.nz();
      return new Kernel<Real>(packed, 2, false, [n](Real* out, R a, R b) { triad<Real>(out, a, b, 3, n); });
    }
    std::fprintf(stderr, "there is no loop %s\n", name.c_str());
    std::exit(2);
  }
};

template <class Real>
int serve(int dimensions, int cells, int ghosts) {
  Kernels<Real> kernels(dimensions, cells, ghosts);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string round, name;
    long times;
    words >> round >> name >> times;
    kernels.named(name)->round(times);
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s float64|float32 DIMENSIONS CELLS GHOSTS\n", argv[0]);
    return 2;
  }
  int dimensions = std::atoi(argv[2]), cells = std::atoi(argv[3]), ghosts = std::atoi(argv[4]);
  return std::string(argv[1]) == "float32" ? serve<float>(dimensions, cells, ghosts)
                                           : serve<double>(dimensions, cells, ghosts);
}

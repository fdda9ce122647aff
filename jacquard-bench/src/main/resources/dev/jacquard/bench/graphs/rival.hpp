// What the programs of all rivals share: the tasks, as a file describes them; their bodies; the protocol.
//
// A program is started as    NAME VARIANT WORKERS BODY FILE    and prints "ready". Then, for each line that it reads,
//   round N    runs all tasks once, bodies with N iterations of the kernel or N steps, and prints the nanoseconds that took,
//              or "wrong" and what is;
//   peak       prints the GFLOP/s per thread of the kernel alone, on all threads at once.
// It ends with its input. Between rounds none of its threads may spin.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

inline int64_t nanosSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

// For each task a list of numbers.
struct Lists {
  std::vector<int32_t> at;
  std::vector<int32_t> items;

  const int32_t* begin(int task) const { return items.data() + at[task]; }
  const int32_t* end(int task) const { return items.data() + at[task + 1]; }
  int count(int task) const { return at[task + 1] - at[task]; }
};

// The tasks, in the order of their submission.
struct Shape {
  int32_t tasks = 0;
  int32_t cells = 0;
  int32_t stride = 0;            // ints between two cells
  std::vector<int32_t> own;      // the cell that a task updates
  std::vector<int32_t> steps;    // Task Bench's steps and points; empty elsewhere
  std::vector<int32_t> points;
  Lists reads;                   // the cells that a task reads
  Lists earlier;                 // whom it comes after
  Lists later;                   // who comes after it

  explicit Shape(const char* path) {
    std::ifstream in(path, std::ios::binary);
    auto number = [&] {
      int32_t value = 0;
      in.read(reinterpret_cast<char*>(&value), sizeof value);
      return value;
    };
    auto numbers = [&] {
      std::vector<int32_t> values(number());
      in.read(reinterpret_cast<char*>(values.data()), values.size() * sizeof(int32_t));
      return values;
    };
    cells = number();
    stride = number();
    own = numbers();
    steps = numbers();
    points = numbers();
    for (Lists* lists : {&reads, &earlier, &later}) {
      lists->at = numbers();
      lists->items = numbers();
    }
    tasks = static_cast<int32_t>(own.size());
    if (!in) {
      std::fprintf(stderr, "cannot read the tasks from %s\n", path);
      std::exit(2);
    }
  }
};

// Next to nothing: adds one to the task's cell. Shows whether every task ran, and none at the same time as another on its cell.
struct Count {
  const Shape& shape;
  std::vector<int32_t> cells;
  std::vector<int32_t> expected;

  explicit Count(const Shape& of) : shape(of), cells(static_cast<size_t>(of.cells) * of.stride), expected(cells) {
    for (int32_t cell : of.own) expected[static_cast<size_t>(cell) * of.stride]++;
  }
  void prepare(long) { std::fill(cells.begin(), cells.end(), 0); }
  void operator()(int task) { cells[static_cast<size_t>(shape.own[task]) * shape.stride]++; }
  bool isRight() const { return cells == expected; }
};

// Sets the task's cell to one more than the largest cell that it sees. Shows whether the order was kept, too.
struct Check {
  const Shape& shape;
  std::vector<int32_t> cells;
  std::vector<int32_t> expected;

  explicit Check(const Shape& of) : shape(of), cells(static_cast<size_t>(of.cells) * of.stride) {
    for (int task = 0; task < of.tasks; task++) (*this)(task);
    expected = cells;
  }
  void prepare(long) { std::fill(cells.begin(), cells.end(), 0); }
  void operator()(int task) {
    int32_t& own = cells[static_cast<size_t>(shape.own[task]) * shape.stride];
    int32_t most = own;
    for (const int32_t* read = shape.reads.begin(task); read != shape.reads.end(task); read++) {
      most = std::max(most, cells[static_cast<size_t>(*read) * shape.stride]);
    }
    own = most + 1;
  }
  bool isRight() const { return cells == expected; }
};

// Steps of an xorshift generator from what the task's cell holds, each of which needs the one before.
struct Grain {
  static constexpr size_t STRIDE = 16;  // two cache lines, since lines are fetched in pairs
  const Shape& shape;
  std::vector<uint64_t> cells;
  std::vector<uint64_t> expected;
  long steps = -1;

  explicit Grain(const Shape& of) : shape(of), cells(of.cells * STRIDE) {}
  void prepare(long count) {
    std::fill(cells.begin(), cells.end(), 0);
    if (steps != count) {
      steps = count;
      for (int task = 0; task < shape.tasks; task++) (*this)(task);
      expected = cells;
      std::fill(cells.begin(), cells.end(), 0);
    }
  }
  void operator()(int task) {
    uint64_t& cell = cells[shape.own[task] * STRIDE];
    uint64_t x = cell + 1;  // what is 0 stays so
    for (long i = 0; i < steps; i++) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
    }
    cell = x;
  }
  bool isRight() const { return cells == expected; }
};

// Task Bench's kernel "compute_bound": 16 vectors of 4 doubles, A = A * A + A per iteration, then their dot product.
constexpr int VECTORS = 16;
constexpr double FLOP_PER_ITERATION = 2.0 * 4 * VECTORS;

__attribute__((noinline)) inline double kernel(long iterations) {
  typedef double Vector __attribute__((vector_size(32)));
  Vector a[VECTORS];
  for (Vector& each : a) each = Vector{1.2345, 1.2345, 1.2345, 1.2345};
  for (long i = 0; i < iterations; i++) {
#pragma GCC unroll 16
    for (int v = 0; v < VECTORS; v++) a[v] = a[v] * a[v] + a[v];
  }
  Vector sum = {0, 0, 0, 0};
  for (const Vector& each : a) sum += each * each;
  return sum[0] + sum[1] + sum[2] + sum[3];
}

// Task Bench's task: checks what its inputs hold, writes its step and point, then computes.
struct Point {
  struct Output {
    int64_t step;
    int64_t point;
  };
  const Shape& shape;
  std::vector<Output> outputs;
  long iterations = 0;
  volatile bool wrong = false;

  explicit Point(const Shape& of) : shape(of), outputs(of.tasks) {}
  void prepare(long count) {
    std::fill(outputs.begin(), outputs.end(), Output{-1, -1});
    iterations = count;
  }
  void operator()(int task) {
    int64_t step = shape.steps[task];
    for (const int32_t* read = shape.reads.begin(task); read != shape.reads.end(task); read++) {
      const Output& input = outputs[*read];
      if (input.step != step - 1 || input.point != shape.points[*read]) wrong = true;
    }
    outputs[task] = {step, shape.points[task]};
    if (kernel(iterations) == 0) wrong = true;
  }
  bool isRight() const {
    for (int task = 0; task < shape.tasks; task++) {
      if (outputs[task].step != shape.steps[task] || outputs[task].point != shape.points[task]) return false;
    }
    return !wrong;
  }
};

// The kernel's GFLOP/s per thread, with that number of threads at once: the best of many short tries, the mean over the threads.
inline double peak(int workers) {
  constexpr long ITERATIONS = 1L << 17;
  constexpr int TRIES = 40;
  std::vector<double> rates(workers);
  std::vector<std::thread> threads;
  for (int i = 0; i < workers; i++) {
    threads.emplace_back([&rates, i] {
      for (int t = 0; t < TRIES; t++) {
        auto start = Clock::now();
        volatile double result = kernel(ITERATIONS);
        (void)result;
        rates[i] = std::max(rates[i], ITERATIONS * FLOP_PER_ITERATION / nanosSince(start));
      }
    });
  }
  double sum = 0;
  for (int i = 0; i < workers; i++) {
    threads[i].join();
    sum += rates[i];
  }
  return sum / workers;
}

// Serves rounds. A System has a constructor (variant, workers, shape, body) and run(), which answers nanoseconds.
template <template <class> class System, class Body>
void serve(const std::string& variant, int workers, const Shape& shape) {
  Body body(shape);
  System<Body> system(variant, workers, shape, body);
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "peak") {
      std::cout << peak(workers) << std::endl;
      continue;
    }
    body.prepare(std::atol(line.c_str() + std::strlen("round ")));
    int64_t nanos = system.run();
    if (body.isRight()) {
      std::cout << nanos << std::endl;
    } else {
      std::cout << "wrong: a cell" << std::endl;
    }
  }
}

template <template <class> class System>
int mainOf(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s VARIANT WORKERS count|check|point|grain FILE\n", argv[0]);
    return 2;
  }
  std::string body = argv[3];
  int workers = std::atoi(argv[2]);
  Shape shape(argv[4]);
  if (body == "count") serve<System, Count>(argv[1], workers, shape);
  if (body == "check") serve<System, Check>(argv[1], workers, shape);
  if (body == "grain") serve<System, Grain>(argv[1], workers, shape);
  if (body == "point") serve<System, Point>(argv[1], workers, shape);
  return 0;
}

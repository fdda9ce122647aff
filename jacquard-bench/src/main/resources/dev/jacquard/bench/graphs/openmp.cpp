// OpenMP: one thread makes tasks with depend clauses, all threads of the team run them. The clock starts and stops within the
// parallel region, so that waking the team is not counted.
#include <omp.h>

#include "rival.hpp"

template <class Body>
class OpenMp {
  int workers;
  const Shape& shape;
  Body& body;
  std::vector<char> handles;

  // Clauses are fixed when the program is compiled, so the usual numbers of reads have tasks of their own.
  void submit(int task) {
    Body* run = &body;
    char* h = handles.data();
    const int32_t* r = shape.reads.begin(task);
    int own = shape.own[task];
    switch (shape.reads.count(task)) {
      case 0:
#pragma omp task firstprivate(run, task) depend(inout : h[own])
        (*run)(task);
        break;
      case 1:
#pragma omp task firstprivate(run, task) depend(in : h[r[0]]) depend(inout : h[own])
        (*run)(task);
        break;
      case 2:
#pragma omp task firstprivate(run, task) depend(in : h[r[0]], h[r[1]]) depend(inout : h[own])
        (*run)(task);
        break;
      case 3:
#pragma omp task firstprivate(run, task) depend(in : h[r[0]], h[r[1]], h[r[2]]) depend(inout : h[own])
        (*run)(task);
        break;
      case 4:
#pragma omp task firstprivate(run, task) depend(in : h[r[0]], h[r[1]], h[r[2]], h[r[3]]) depend(inout : h[own])
        (*run)(task);
        break;
      default: {
        int n = shape.reads.count(task);
#pragma omp task firstprivate(run, task) depend(iterator(i = 0 : n), in : h[r[i]]) depend(inout : h[own])
        (*run)(task);
      }
    }
  }

 public:
  OpenMp(const std::string&, int threads, const Shape& of, Body& its)
      : workers(threads), shape(of), body(its), handles(of.cells) {}

  int64_t run() {
    int64_t nanos = 0;
#pragma omp parallel num_threads(workers)
#pragma omp single
    {
      auto start = Clock::now();
      for (int task = 0; task < shape.tasks; task++) submit(task);
#pragma omp taskwait
      nanos = nanosSince(start);
    }
    return nanos;
  }
};

int main(int argc, char** argv) { return mainOf<OpenMp>(argc, argv); }

// Taskflow: a graph of tasks whose edges are given, made once and run many times.
#include <taskflow/taskflow.hpp>

#include <vector>

#include "rival.hpp"

template <class Body>
class Taskflow {
  tf::Executor executor;
  tf::Taskflow flow;

 public:
  Taskflow(const std::string&, int workers, const Shape& shape, Body& body) : executor(workers) {
    std::vector<tf::Task> tasks;
    tasks.reserve(shape.tasks);
    for (int task = 0; task < shape.tasks; task++) {
      tasks.push_back(flow.emplace([&body, task] { body(task); }));
      for (const int32_t* at = shape.earlier.begin(task); at != shape.earlier.end(task); at++) {
        tasks[*at].precede(tasks[task]);
      }
    }
  }
  int64_t run() {
    auto start = Clock::now();
    executor.run(flow).wait();
    return nanosSince(start);
  }
};

int main(int argc, char** argv) { return mainOf<Taskflow>(argc, argv); }

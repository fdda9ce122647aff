// oneTBB: a flow graph of continue_nodes. Variant "prebuilt": made once, run many times; "built": made anew in every round.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

#include <memory>
#include <vector>

#include "rival.hpp"

namespace flow = oneapi::tbb::flow;

template <class Body>
class FlowGraph {
  using Node = flow::continue_node<flow::continue_msg>;

  const Shape& shape;
  flow::graph graph;
  std::vector<Node> nodes;  // side by side: faster than one by one

 public:
  FlowGraph(const Shape& of, Body& body) : shape(of) {
    nodes.reserve(shape.tasks);
    for (int task = 0; task < shape.tasks; task++) {
      nodes.emplace_back(graph, [&body, task](const flow::continue_msg&) { body(task); });
      for (const int32_t* at = shape.earlier.begin(task); at != shape.earlier.end(task); at++) {
        flow::make_edge(nodes[*at], nodes[task]);
      }
    }
  }
  void run() {
    for (int task = 0; task < shape.tasks; task++) {
      if (shape.earlier.count(task) == 0) nodes[task].try_put(flow::continue_msg());
    }
    graph.wait_for_all();
  }
};

template <class Body>
class OneTbb {
  const Shape& shape;
  Body& body;
  oneapi::tbb::global_control limit;
  std::unique_ptr<FlowGraph<Body>> prebuilt;

 public:
  OneTbb(const std::string& variant, int workers, const Shape& of, Body& its)
      : shape(of), body(its), limit(oneapi::tbb::global_control::max_allowed_parallelism, workers) {
    if (variant == "prebuilt") prebuilt = std::make_unique<FlowGraph<Body>>(shape, body);
  }
  int64_t run() {
    auto start = Clock::now();
    if (prebuilt) {
      prebuilt->run();
      return nanosSince(start);
    }
    FlowGraph<Body> built(shape, body);
    built.run();
    return nanosSince(start);
  }
};

int main(int argc, char** argv) { return mainOf<OneTbb>(argc, argv); }

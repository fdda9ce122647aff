// oneTBB: a flow graph of function nodes, without a bound on the items in it.
//
// Started as    onetbb stages WORKERS ITEMS              numbers through three nodes that take one item at a time;
//         or    onetbb blocks WORKERS ITEMS ELEMENTS     blocks of integers from a source through 56 transforms to a writer
//                                                        that takes four items at a time.
// Prints "ready". Then, for each line that it reads, it runs all items once and prints the nanoseconds and, for blocks, the
// most bytes by which its resident memory was larger than at the beginning; or "wrong" and what is. Ends with its input.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace flow = oneapi::tbb::flow;
using Clock = std::chrono::steady_clock;

constexpr int TRANSFORMS = 56;
constexpr int WRITERS = 4;

static int64_t nanosSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
}

static int64_t status(const std::string& what) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(what + ":", 0) == 0) return std::atoll(line.c_str() + what.size() + 1) << 10;
  }
  return 0;
}

static void stages(int items) {
  constexpr int DISTINCT = 1 << 10;
  int seen = 0;
  int64_t sum = 0;
  auto start = Clock::now();
  flow::graph graph;
  auto pass = [](int item) { return item; };
  flow::function_node<int, int> first(graph, flow::serial, pass);
  flow::function_node<int, int> second(graph, flow::serial, pass);
  flow::function_node<int> third(graph, flow::serial, [&](int item) {
    seen++;
    sum += item;
    return flow::continue_msg();
  });
  flow::make_edge(first, second);
  flow::make_edge(second, third);
  for (int item = 0; item < items; item++) first.try_put(item & (DISTINCT - 1));
  graph.wait_for_all();
  int64_t nanos = nanosSince(start);
  for (int item = 0; item < items; item++) sum -= item & (DISTINCT - 1);
  if (seen == items && sum == 0) { // with two threads, the nodes do not keep the order
    std::cout << nanos << std::endl;
  } else {
    std::cout << "wrong: the number or the sum of the items" << std::endl;
  }
}

struct Block {
  uint32_t number;
  std::shared_ptr<uint32_t> elements;
};

static void transform(uint32_t* elements, int count, uint32_t add) {
  for (int i = 0; i < count; i++) elements[i] = elements[i] * 3 + add;
}

static uint32_t sum(const uint32_t* elements, int count) {
  uint32_t sum = 0;
  for (int i = 0; i < count; i++) sum += elements[i];
  return sum;
}

// The sum of a block at the writer: every transform makes 3 s + count * add of a sum s.
static uint32_t expected(uint32_t number, int count) {
  uint64_t n = count;
  uint32_t sum = static_cast<uint32_t>(n * number + n * (n - 1) / 2);
  for (int t = 0; t < TRANSFORMS; t++) sum = sum * 3 + static_cast<uint32_t>(count) * t;
  return sum;
}

static void blocks(int items, int count, int64_t before) {
  std::vector<uint32_t> sums(items);
  auto start = Clock::now();
  flow::graph graph;
  int next = 0;
  flow::input_node<Block> source(graph, [&](oneapi::tbb::flow_control& control) {
    if (next == items) {
      control.stop();
      return Block();
    }
    Block block{static_cast<uint32_t>(next++), std::shared_ptr<uint32_t>(new uint32_t[count], std::default_delete<uint32_t[]>())};
    for (int i = 0; i < count; i++) block.elements.get()[i] = block.number + i;
    return block;
  });
  std::vector<std::unique_ptr<flow::function_node<Block, Block>>> transforms;
  for (int t = 0; t < TRANSFORMS; t++) {
    transforms.push_back(std::make_unique<flow::function_node<Block, Block>>(graph, flow::serial, [=](const Block& block) {
      transform(block.elements.get(), count, t);
      return block;
    }));
    if (t > 0) flow::make_edge(*transforms[t - 1], *transforms[t]);
  }
  flow::function_node<Block> writer(graph, WRITERS, [&](const Block& block) {
    sums[block.number] = sum(block.elements.get(), count);
    return flow::continue_msg();
  });
  flow::make_edge(source, *transforms.front());
  flow::make_edge(*transforms.back(), writer);
  source.activate();
  graph.wait_for_all();
  int64_t nanos = nanosSince(start);
  for (int item = 0; item < items; item++) {
    if (sums[item] != expected(item, count)) {
      std::cout << "wrong: the sum of a block" << std::endl;
      return;
    }
  }
  std::cout << nanos << " " << status("VmHWM") - before << std::endl;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: onetbb stages|blocks WORKERS ITEMS [ELEMENTS]" << std::endl;
    return 2;
  }
  bool isBlocks = std::string(argv[1]) == "blocks";
  int items = std::atoi(argv[3]);
  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, std::atoi(argv[2]));
  int64_t before = status("VmRSS");
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    if (isBlocks) {
      blocks(items, std::atoi(argv[4]), before);
    } else {
      stages(items);
    }
  }
  return 0;
}

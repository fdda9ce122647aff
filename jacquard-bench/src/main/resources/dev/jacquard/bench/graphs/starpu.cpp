// StarPU: the main thread inserts tasks on data handles, as many CPU workers as asked for run them. The main thread never runs
// tasks itself, so there is one thread more than the number of workers. Workers are paused between rounds.
#include <starpu.h>

#include "rival.hpp"

template <class Body>
class StarPu {
  static constexpr int MOST_READS = 4;

  struct Argument {
    Body* body;
    int task;
  };

  const Shape& shape;
  std::vector<int32_t> values;
  std::vector<starpu_data_handle_t> handles;
  std::vector<Argument> arguments;
  starpu_codelet codelets[MOST_READS + 1];

  static void execute(void**, void* argument) {
    auto* its = static_cast<Argument*>(argument);
    (*its->body)(its->task);
  }

  void insert(int task) {
    const int32_t* r = shape.reads.begin(task);
    int reads = shape.reads.count(task);
    starpu_codelet* codelet = &codelets[reads];
    Argument* argument = &arguments[task];
    starpu_data_handle_t own = handles[shape.own[task]];
    auto h = [&](int read) { return handles[r[read]]; };
    switch (reads) {
      case 0:
        starpu_task_insert(codelet, STARPU_RW, own, STARPU_CL_ARGS_NFREE, argument, sizeof *argument, 0);
        break;
      case 1:
        starpu_task_insert(codelet, STARPU_RW, own, STARPU_R, h(0), STARPU_CL_ARGS_NFREE, argument, sizeof *argument, 0);
        break;
      case 2:
        starpu_task_insert(codelet, STARPU_RW, own, STARPU_R, h(0), STARPU_R, h(1), STARPU_CL_ARGS_NFREE, argument,
                           sizeof *argument, 0);
        break;
      case 3:
        starpu_task_insert(codelet, STARPU_RW, own, STARPU_R, h(0), STARPU_R, h(1), STARPU_R, h(2), STARPU_CL_ARGS_NFREE,
                           argument, sizeof *argument, 0);
        break;
      default:
        starpu_task_insert(codelet, STARPU_RW, own, STARPU_R, h(0), STARPU_R, h(1), STARPU_R, h(2), STARPU_R, h(3),
                           STARPU_CL_ARGS_NFREE, argument, sizeof *argument, 0);
    }
  }

 public:
  StarPu(const std::string&, int workers, const Shape& of, Body& body)
      : shape(of), values(of.cells), handles(of.cells), arguments(of.tasks) {
    starpu_conf conf;
    starpu_conf_init(&conf);
    conf.ncpus = workers;
    conf.ncuda = 0;
    conf.nopencl = 0;
    if (starpu_init(&conf) != 0) {
      std::fprintf(stderr, "StarPU found no processor\n");
      std::exit(2);
    }
    for (int cell = 0; cell < shape.cells; cell++) {
      starpu_variable_data_register(&handles[cell], STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&values[cell]),
                                    sizeof values[cell]);
    }
    for (int task = 0; task < shape.tasks; task++) {
      arguments[task] = {&body, task};
      if (shape.reads.count(task) > MOST_READS) {
        std::fprintf(stderr, "task %d reads more than %d cells\n", task, MOST_READS);
        std::exit(2);
      }
    }
    for (int reads = 0; reads <= MOST_READS; reads++) {
      starpu_codelet_init(&codelets[reads]);
      codelets[reads].cpu_funcs[0] = &execute;
      codelets[reads].nbuffers = reads + 1;
      codelets[reads].modes[0] = STARPU_RW;
      for (int read = 1; read <= reads; read++) codelets[reads].modes[read] = STARPU_R;
    }
    starpu_pause();
  }

  ~StarPu() {
    starpu_resume();
    for (starpu_data_handle_t handle : handles) starpu_data_unregister(handle);
    starpu_shutdown();
  }

  int64_t run() {
    starpu_resume();
    auto start = Clock::now();
    for (int task = 0; task < shape.tasks; task++) insert(task);
    starpu_task_wait_for_all();
    int64_t nanos = nanosSince(start);
    starpu_pause();
    return nanos;
  }
};

int main(int argc, char** argv) { return mainOf<StarPu>(argc, argv); }

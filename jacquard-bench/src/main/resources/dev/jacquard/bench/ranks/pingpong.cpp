// The time of a message one way between two processes of MPI. Rank 0 prints "ready", reads a line with the turns of a
// round at 8 bytes and at 8 MiB, and prints "us" with the medians of both, the latter twice: there is one memory here.

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kLarge = 8 << 20;
constexpr int kWarmUps = 15;
constexpr int kRounds = 15;

double micros(int rank, std::vector<char>& memory, int bytes, int turns) {
  std::vector<double> rounds;
  for (int round = -kWarmUps; round < kRounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = MPI_Wtime();
    for (int i = 0; i < turns; ++i) {
      if (rank == 0) {
        memory[0] = static_cast<char>(i);
        MPI_Send(memory.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        memory[0] = static_cast<char>(~i);
        MPI_Recv(memory.data(), bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(memory.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(memory.data(), bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
      }
    }
    if (turns > 0 && memory[0] != static_cast<char>(turns - 1)) {
      std::puts("wrong: the last message");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (round >= 0) rounds.push_back((MPI_Wtime() - begun) * 1e6 / (2.0 * turns));
  }
  std::sort(rounds.begin(), rounds.end());
  return rounds[kRounds / 2];
}

}  // namespace

int main(int count, char** arguments) {
  int level = 0;
  int rank = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int turns[2] = {0, 0};
  if (rank == 0) {
    std::puts("ready");
    std::fflush(stdout);
    if (std::scanf("%d %d", &turns[0], &turns[1]) != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Bcast(turns, 2, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<char> memory(kLarge, 1);
  const double small = micros(rank, memory, 8, turns[0]);
  const double large = micros(rank, memory, kLarge, turns[1]);
  if (rank == 0) std::printf("us %.4f %.4f %.4f\n", small, large, large);
  MPI_Finalize();
  return 0;
}

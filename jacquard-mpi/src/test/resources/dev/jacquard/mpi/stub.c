/* A library of MPI with one process, for tests: STANDARD, MPICH or OPEN_MPI says whose constants it has. It checks
   the handles that it is given, and that no thread calls it that may not: STUB_LEVEL is 0 to 3. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(MPICH)
typedef int Handle;
enum { MULTIPLE = 3, SCALE = 1, TAG_UB = 0x64400001, ANY_SOURCE = -2 };
#define WORLD 0x44000000
#define BYTE 0x4c00010d
#define ERRORS_RETURN 0x54000001
#define REQUEST_NULL 0x2c000000
#define IGNORED ((void *)1)
#define VERSION "MPICH Version:\t4.9.9\nMPICH Release date:\tnever"
#elif defined(OPEN_MPI)
typedef void *Handle;
enum { MULTIPLE = 3, SCALE = 1, TAG_UB = 0, ANY_SOURCE = -1 };
char ompi_mpi_comm_world[8], ompi_mpi_byte[8], ompi_mpi_errors_return[8], ompi_request_null[8];
#define WORLD ((Handle)ompi_mpi_comm_world)
#define BYTE ((Handle)ompi_mpi_byte)
#define ERRORS_RETURN ((Handle)ompi_mpi_errors_return)
#define REQUEST_NULL ((Handle)ompi_request_null)
#define IGNORED NULL
#define VERSION "Open MPI v5.9.9, package: stub"
#else
typedef void *Handle;
enum { MULTIPLE = 4096, SCALE = 1024, TAG_UB = 501, ANY_SOURCE = -1 };
#define WORLD ((Handle)0x101)
#define BYTE ((Handle)0x247)
#define ERRORS_RETURN ((Handle)0x142)
#define REQUEST_NULL ((Handle)0x180)
#define IGNORED NULL
#define VERSION "Stub of the standard ABI"
#endif

enum { RANK_ERROR = 1001, HANDLE_ERROR = 1002, MOST = 100000 };

typedef struct Request {
  int isDone, isReceive, tag;
  long comm, bytes;
  char *data;           /* the place of a receive; a copy of a message that waits */
  struct Request *send; /* of a message that waits, to be ended by its receive */
  struct Request *next;
} Request;

static Request *requests[MOST];
static Request *posted, *waiting;
static int level = 3, tagLimit = 32767;
static long comms = 1;
static pthread_t starter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside, violations;

static void enter(void) {
  if (atomic_fetch_add(&inside, 1) > 0 && level < 3) violations++;
  if (level < 2 && !pthread_equal(pthread_self(), starter)) violations++;
  pthread_mutex_lock(&lock);
}
static int leave(int code) {
  pthread_mutex_unlock(&lock);
  atomic_fetch_sub(&inside, 1);
  return code;
}

/* Communicators of ours: the world, and small numbers. */
static long commOf(Handle comm) { return comm == WORLD ? 1 : (long)(intptr_t)comm; }
static int isComm(Handle comm) { return comm == WORLD || (commOf(comm) > 1 && commOf(comm) <= comms); }

static Handle add(Request *its) {
  for (int i = 1; i < MOST; i++)
    if (!requests[i]) {
      requests[i] = its;
      return (Handle)(intptr_t)i;
    }
  abort();
}
static Request *take(Request **list, int tag, long comm) {
  for (Request **at = list; *at; at = &(*at)->next)
    if ((*at)->tag == tag && (*at)->comm == comm) {
      Request *its = *at;
      *at = its->next;
      return its;
    }
  return NULL;
}
static void append(Request **list, Request *its) {
  while (*list) list = &(*list)->next;
  its->next = NULL;
  *list = its;
}

int MPI_Init_thread(int *count, char ***arguments, int required, int *provided) {
  char *asked = getenv("STUB_LEVEL"), *limit = getenv("STUB_TAG_LIMIT");
  (void)count, (void)arguments;
  level = asked ? atoi(asked) : 3;
  if (limit) tagLimit = atoi(limit);
  starter = pthread_self();
  *provided = level == 3 ? MULTIPLE : level * SCALE;
  return required == MULTIPLE ? 0 : HANDLE_ERROR;
}
int MPI_Finalize(void) {
  enter();
  fprintf(stderr, "stub: finalized, %d receives left, %d violations\n", posted != NULL, (int)violations);
  return leave(0);
}
int MPI_Abort(Handle comm, int code) {
  (void)comm;
  fprintf(stderr, "stub: aborted, %d violations\n", (int)violations);
  _Exit(code);
}
int MPI_Get_library_version(char *text, int *length) {
  strcpy(text, VERSION);
  *length = (int)strlen(text);
  return 0;
}
int MPI_Error_class(int code, int *its) {
  *its = code == RANK_ERROR ? 6 : 13;
  return 0;
}
int MPI_Error_string(int code, char *text, int *length) {
  strcpy(text, code == RANK_ERROR ? "stub: no such rank" : "stub: wrong handle");
  *length = (int)strlen(text);
  return 0;
}
int MPI_Comm_rank(Handle comm, int *rank) {
  *rank = 0;
  return isComm(comm) ? 0 : HANDLE_ERROR;
}
int MPI_Comm_size(Handle comm, int *size) {
  *size = 1;
  return isComm(comm) ? 0 : HANDLE_ERROR;
}
int MPI_Comm_get_attr(Handle comm, int key, void *value, int *flag) {
  *flag = isComm(comm) && key == TAG_UB;
  *(int **)value = &tagLimit;
  return 0;
}
int MPI_Comm_set_errhandler(Handle comm, Handle handler) {
  return isComm(comm) && handler == ERRORS_RETURN ? 0 : HANDLE_ERROR;
}
int MPI_Comm_dup(Handle comm, Handle *result) {
  enter();
  *result = (Handle)(intptr_t)++comms;
  return leave(isComm(comm) ? 0 : HANDLE_ERROR);
}
int MPI_Comm_free(Handle *comm) {
  enter();
  return leave(isComm(*comm) ? 0 : HANDLE_ERROR);
}
int MPI_Comm_group(Handle comm, Handle *group) {
  enter();
  *group = (Handle)(intptr_t)77;
  return leave(isComm(comm) ? 0 : HANDLE_ERROR);
}
int MPI_Group_incl(Handle group, int count, const int *ranks, Handle *result) {
  enter();
  *result = (Handle)(intptr_t)78;
  return leave(group == (Handle)(intptr_t)77 && count == 1 && ranks[0] == 0 ? 0 : HANDLE_ERROR);
}
int MPI_Group_free(Handle *group) {
  enter();
  (void)group;
  return leave(0);
}
int MPI_Comm_create_group(Handle comm, Handle group, int tag, Handle *result) {
  (void)tag;
  return group == (Handle)(intptr_t)78 ? MPI_Comm_dup(comm, result) : HANDLE_ERROR;
}

static int start(const void *data, int bytes, Handle type, int peer, int tag, Handle comm, int isReceive, int matched,
                 Handle *request) {
  enter();
  if (type != BYTE || !isComm(comm)) return leave(HANDLE_ERROR);
  if (isReceive ? peer != ANY_SOURCE && peer != 0 : peer != 0) return leave(RANK_ERROR);
  if (tag < 0 || tag > tagLimit) return leave(HANDLE_ERROR);
  Request *its = calloc(1, sizeof *its);
  its->isReceive = isReceive, its->tag = tag, its->comm = commOf(comm), its->bytes = bytes;
  *request = add(its);
  Request *other = take(isReceive ? &waiting : &posted, tag, its->comm);
  if (isReceive) {
    its->data = (char *)data;
    if (!other) {
      append(&posted, its);
    } else {
      memcpy(its->data, other->data, other->bytes);
      if (other->send) other->send->isDone = 1;
      its->isDone = 1;
      free(other->data), free(other);
    }
  } else if (other) {
    memcpy(other->data, data, bytes);
    its->isDone = other->isDone = 1;
  } else {
    Request *message = calloc(1, sizeof *message);
    message->tag = tag, message->comm = its->comm, message->bytes = bytes;
    message->data = memcpy(malloc(bytes ? bytes : 1), data, bytes);
    if (matched) message->send = its;
    else its->isDone = 1;
    append(&waiting, message);
  }
  return leave(0);
}
int MPI_Isend(const void *data, int bytes, Handle type, int to, int tag, Handle comm, Handle *request) {
  return start(data, bytes, type, to, tag, comm, 0, 0, request);
}
int MPI_Issend(const void *data, int bytes, Handle type, int to, int tag, Handle comm, Handle *request) {
  return start(data, bytes, type, to, tag, comm, 0, 1, request);
}
int MPI_Irecv(void *data, int bytes, Handle type, int from, int tag, Handle comm, Handle *request) {
  return start(data, bytes, type, from, tag, comm, 1, 0, request);
}
int MPI_Test(Handle *request, int *flag, void *status) {
  enter();
  if (status != IGNORED) return leave(HANDLE_ERROR);
  Request *its = requests[(intptr_t)*request];
  *flag = its->isDone;
  if (its->isDone) {
    requests[(intptr_t)*request] = NULL;
    free(its);
    *request = REQUEST_NULL;
  }
  return leave(0);
}
int MPI_Cancel(Handle *request) {
  enter();
  Request *its = requests[(intptr_t)*request];
  for (Request **at = &posted; *at; at = &(*at)->next)
    if (*at == its) {
      *at = its->next;
      break;
    }
  its->isDone = 1;
  return leave(0);
}
int MPI_Wait(Handle *request, void *status) {
  int flag;
  return MPI_Test(request, &flag, status);
}

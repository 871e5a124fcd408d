// A worker process that sends what a test prepared, whatever the host requests.
//
// The test writes a file whose first line is `#!` and the path of this program, and uses it as the
// worker program. The rest is a list of parts, each a length (u32, little-endian) and its bytes.
// Each part is sent unchanged. Before every part except the first, the program waits for one frame
// of the host. Instead of a part, the list may have the number of a deed, which the program does
// without waiting. The part after a deed is also sent without waiting.
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { host = 3, header_bytes = 9 };

// The deeds, as the test's `HostileWorker.Deed` numbers them.
#define COMPUTES UINT32_C(0xffffffff)
#define DRIBBLES UINT32_C(0xfffffffe)
#define COMPUTES_BRIEFLY UINT32_C(0xfffffffd)
#define TAKES_MEMORY UINT32_C(0xfffffffc)

static void wait_for(short events) {
  struct pollfd watched = {.fd = host, .events = events};
  poll(&watched, 1, -1);
}

static void send_all(const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(host, bytes, count);
    if (written < 0) {
      wait_for(POLLOUT);
      struct pollfd watched = {.fd = host, .events = POLLOUT};
      if (poll(&watched, 1, 0) > 0 && watched.revents & (POLLHUP | POLLERR)) exit(0);
      continue;
    }
    bytes += written;
    count -= (size_t)written;
  }
}

static void receive(unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t taken = read(host, bytes, count);
    if (taken == 0) exit(0);
    if (taken < 0) {
      wait_for(POLLIN);
      continue;
    }
    bytes += taken;
    count -= (size_t)taken;
  }
}

static uint32_t number(const unsigned char *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void await_frame(void) {
  unsigned char head[header_bytes], byte;
  receive(head, sizeof head);
  for (uint32_t rest = number(head); rest > 0; rest--) receive(&byte, 1);
}

// Uses CPU time in milliseconds.
static void compute(int milliseconds) {
  clock_t end = clock() + (clock_t)milliseconds * (CLOCKS_PER_SEC / 1000);
  while (clock() < end) {}
}

// Uses CPU time without end, and sends bytes of a frame that it never completes.
static void dribble(void) {
  const unsigned char head[header_bytes] = {0, 0, 0, 2, 1, 0, 0, 0, 4};
  send_all((const char *)head, sizeof head);
  for (;;) {
    compute(10);
    send_all("x", 1);
  }
}

// Takes memory, and then does nothing.
static void take_memory(void) {
  size_t size = (size_t)128 << 20;
  // Without `volatile`, the compiler removes the memory, which nothing reads.
  volatile char *memory = malloc(size);
  if (memory == NULL) exit(66);
  for (size_t i = 0; i < size; i += 1024) memory[i] = 1;
  for (;;) pause();
}

static void do_deed(uint32_t deed) {
  if (deed == DRIBBLES) dribble();
  if (deed == TAKES_MEMORY) take_memory();
  do {
    compute(1500);
  } while (deed == COMPUTES);
}

int main(int count, char **arguments) {
  FILE *script = count > 1 ? fopen(arguments[1], "r") : NULL;
  if (script == NULL) return 64;
  int letter;
  while ((letter = fgetc(script)) != '\n' && letter != EOF) {}
  unsigned char length[4];
  int waits = 0;
  while (fread(length, sizeof length, 1, script) == 1) {
    if (number(length) >= TAKES_MEMORY) {
      do_deed(number(length));
      waits = 0;
      continue;
    }
    if (waits) await_frame();
    waits = 1;
    size_t size = number(length);
    char *bytes = malloc(size + 1);
    if (bytes == NULL || fread(bytes, 1, size, script) != size) return 65;
    send_all(bytes, size);
    free(bytes);
  }
  // Waits until the host ends this process.
  for (;;) await_frame();
}

// A worker process that sends what a test prepared, whatever the host requests.
//
// The test writes a file whose first line is `#!` and the path of this program, and uses it as the
// worker program. The rest is a list of parts, each a length (u32, little-endian) and its bytes.
// Each part is sent unchanged. Before every part except the first, the program waits for one frame
// of the host.
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { host = 3, header_bytes = 9 };

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

int main(int count, char **arguments) {
  FILE *script = count > 1 ? fopen(arguments[1], "r") : NULL;
  if (script == NULL) return 64;
  int letter;
  while ((letter = fgetc(script)) != '\n' && letter != EOF) {}
  unsigned char length[4];
  for (int part = 0; fread(length, sizeof length, 1, script) == 1; part++) {
    if (part > 0) await_frame();
    size_t size = number(length);
    char *bytes = malloc(size + 1);
    if (bytes == NULL || fread(bytes, 1, size, script) != size) return 65;
    send_all(bytes, size);
    free(bytes);
  }
  // Waits until the host ends this process.
  for (;;) await_frame();
}

#include "CReadiness.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool cready_create(int *set, int *signal, uint64_t signal_tag) {
    *set = epoll_create1(EPOLL_CLOEXEC);
    *signal = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (*set >= 0 && *signal >= 0 && cready_watch(*set, *signal, CREADY_IN, signal_tag)) return true;
    if (*set >= 0) close(*set);
    if (*signal >= 0) close(*signal);
    return false;
}

bool cready_watch(int set, int socket, int what, uint64_t tag) {
    struct epoll_event event = {0};
    if (what & CREADY_IN) event.events |= EPOLLIN;
    if (what & CREADY_OUT) event.events |= EPOLLOUT;
    event.data.u64 = tag;
    // A socket that only waits for room is usually a new one, which connects. Others are usually in
    // the set, unless libcurl has closed the descriptor and opened it again: closing removed it.
    int likely = what == CREADY_OUT ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    if (epoll_ctl(set, likely, socket, &event) == 0) return true;
    if (errno == EEXIST) return epoll_ctl(set, EPOLL_CTL_MOD, socket, &event) == 0;
    return errno == ENOENT && epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) == 0;
}

void cready_forget(int set, int socket) { epoll_ctl(set, EPOLL_CTL_DEL, socket, NULL); }

int cready_wait(int set, struct cready_event *events, int count, int milliseconds) {
    struct epoll_event ready[64];
    int wanted = count < 64 ? count : 64;
    int found = epoll_wait(set, ready, wanted, milliseconds);
    for (int i = 0; i < found; i++) {
        events[i].tag = ready[i].data.u64;
        events[i].what = (ready[i].events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP) ? CREADY_IN : 0) |
                         (ready[i].events & EPOLLOUT ? CREADY_OUT : 0) |
                         (ready[i].events & EPOLLERR ? CREADY_ERROR : 0);
    }
    return found > 0 ? found : 0;
}

void cready_signal(int signal) { eventfd_write(signal, 1); }

void cready_take_signal(int signal) {
    eventfd_t count;
    eventfd_read(signal, &count);
}

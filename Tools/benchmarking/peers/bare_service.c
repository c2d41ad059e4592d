/* SPDX-License-Identifier: Apache-2.0 */
/* The service's system calls for each position, and nothing else: what the kernel and cold caches alone take.
   Reads gpsd's report, appends 59 bytes to a file, sends each app a line of 385 bytes, reads each app's answer and
   appends 8 bytes. It looks for three words, decides nothing, checks nothing: the floor, not a service. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST = 4096, DELIVERY = 59, ANSWER = 8, LINE = 385 };

static char text[8192];

static const char *after(int count, char **words, const char *name) {
    for (int i = 1; i + 1 < count; i++)
        if (!strcmp(words[i], name)) return words[i + 1];
    fprintf(stderr, "bare_service: %s is missing\n", name);
    exit(2);
}

static void must(int is_done, const char *what) {
    if (is_done) return;
    perror(what);
    exit(2);
}

static int port_of_gpsd(const char *path) {
    int port = 0;
    FILE *file = fopen(path, "r");
    must(file != NULL, path);
    while (fgets(text, sizeof text, file)) sscanf(text, "gpsd_port: %d", &port);
    fclose(file);
    return port;
}

static void watch(int poll, int socket) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
    must(epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event) == 0, "epoll_ctl");
}

static int connected(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    int gpsd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    must(connect(gpsd, (struct sockaddr *)&address, sizeof address) == 0, "connect");
    return gpsd;
}

static int listening(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    must(bind(listener, (struct sockaddr *)&address, sizeof address) == 0, path);
    must(listen(listener, 512) == 0, path);
    return listener;
}

static void put(int target, const char *bytes, size_t count) {
    must(write(target, bytes, count) == (ssize_t)count, "write");
}

int main(int count, char **words) {
    static int apps[MOST];
    static char line[LINE + 128], watching[] = "?WATCH={\"enable\":true,\"json\":true};\n";
    int port = port_of_gpsd(after(count, words, "--config")), gpsd = -1, known = 0;
    unsigned long sequence = 0;
    const char *state = after(count, words, "--state");
    mkdir(after(count, words, "--runtime"), 0700);
    mkdir(state, 0700);
    snprintf(text, sizeof text, "%s/recent", state);
    int file = open(text, O_WRONLY | O_CREAT | O_APPEND, 0600);
    must(file >= 0, text);
    int listener = listening(after(count, words, "--socket")), poll = epoll_create1(0);
    watch(poll, listener);
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            int from = events[i].data.fd;
            if (from == listener) {
                watch(poll, accept4(listener, NULL, NULL, SOCK_NONBLOCK));
                continue;
            }
            ssize_t size = read(from, text, sizeof text - 1);
            if (size <= 0) {
                close(from);
                continue;
            }
            text[size] = 0;
            if (from == gpsd) {
                if (strstr(text, "\"VERSION\"")) put(gpsd, watching, sizeof watching - 1);
                if (!strstr(text, "\"TPV\"")) continue;
                put(file, text, DELIVERY);
                int length = snprintf(line, sizeof line, "{\"class\":\"LOCATION\",\"sequence\":%lu,\"fix\":\"", ++sequence);
                while (length < LINE - 3) line[length++] = 'x';
                memcpy(line + length, "\"}\n", 3);
                for (int app = 0; app < known; app++) put(apps[app], line, LINE);
            } else if (strstr(text, "ACK")) {
                put(file, text, ANSWER);
            } else if (strstr(text, "HELLO") && known < MOST) {
                apps[known++] = from;
                if (gpsd < 0) watch(poll, gpsd = connected(port));
            }
        }
    }
}

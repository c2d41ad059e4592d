/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a command and prints the peak of its memory, KiB. The kernel counts into the peak of a program what the process
   held before it became that program, and so into one that Python starts all that Python holds; this holds little. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
    struct rusage used;
    int status;
    pid_t child = count < 2 ? -1 : fork();
    if (child == 0) {
        execv(words[1], words + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0) return 1;
    fprintf(stderr, "%ld\n", used.ru_maxrss);
    return 0;
}

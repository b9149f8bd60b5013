/*
 * fuzz_unpack.c - files with any bytes, compressed or not: reading ends or returns an error, in bounded memory.
 */
#include "support.h"

#include "io/input.h"

#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 1 << 22 }; /* stop reading a decompression bomb here */
    static char path[64];
    char bytes[4096];
    tby_failure failure;
    size_t n = 0;
    if (!path[0])
        snprintf(path, sizeof path, "/dev/shm/tabiya-fuzz-unpack-%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    require(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    input *in = input_open_file(path, &failure);
    require(in || failure.text[0]);
    if (in) {
        size_t n_peeked, got;
        const char *first = input_peek(in, &n_peeked);
        require(first && n_peeked <= INPUT_PEEK_SIZE);
        input_guess(in, &(tby_likeness){TBY_UNLIKE});
        while (n < MOST && (got = input_read(in, bytes, sizeof bytes)) > 0 && got != TBY_SOURCE_FAILED)
            n += got;
        require(n >= n_peeked || input_failure(in));
        require(input_is_packed(in) || input_failure(in) || n >= MOST || n == size);
        input_close(in);
    }
    unlink(path);
    return 0;
}

/*
 * test_threads.c - threads that share one piece of work.
 */
#include "support.h"

#include "os/threads.h"

#include <stdatomic.h>

TEST(test_threads__no_more_threads_than_work)
{
    assert_int_equal(threads_wanted(3, 1000), 3);
    assert_int_equal(threads_wanted(3, 2), 2);
    assert_int_equal(threads_wanted(3, 0), 1);
    assert_int_equal(threads_wanted(3, -5), 1);
    assert_int_equal(threads_wanted(0, 0), 1);
    assert_int_equal(threads_wanted(UINT32_MAX, INT64_MAX), THREADS_RUN_MAX);
    assert_in_range(threads_wanted(0, INT64_MAX), 1, THREADS_RUN_MAX);
}

static _Thread_local bool is_caller;

typedef struct roll {
    atomic_uint n_calls[THREADS_RUN_MAX];
    atomic_uint n_in_caller;
} roll;

static void call(void *context, unsigned number)
{
    roll *r = context;
    atomic_fetch_add(&r->n_calls[number], 1);
    if (is_caller) {
        atomic_fetch_add(&r->n_in_caller, 1);
        atomic_fetch_add(&r->n_calls[number], number == 0 ? 0 : 100);
    }
}

TEST(test_threads__each_number_once_and_the_first_in_the_calling_thread)
{
    static const unsigned sizes[] = {1, 2, 7, 40};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        roll r = {.n_in_caller = 0};
        is_caller = true;
        threads_run(sizes[i], call, &r);
        for (unsigned k = 0; k < THREADS_RUN_MAX; k++)
            assert_int_equal(atomic_load(&r.n_calls[k]), k < sizes[i] ? 1 : 0);
        assert_int_equal(atomic_load(&r.n_in_caller), 1);
    }
}

int main(void) { return tests_run(NULL, NULL); }

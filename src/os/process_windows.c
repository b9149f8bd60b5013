/*
 * process_windows.c - other programs, with pipes that can be waited for, in a job that ends when we do.
 */
#include "os/process.h"
#include "os/random.h"
#include "os/windows.h"

#include <errno.h>
#include <io.h>
#include <shellapi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PIPE_SIZE = 1 << 16, BUFFER_SIZE = 1 << 13 };

/* Our end of a pipe, and what the system does with it at the moment. */
typedef struct channel {
    HANDLE pipe, event;
    OVERLAPPED state;
    bool is_busy;
    char bytes[BUFFER_SIZE];
    DWORD at, n; /* of bytes that were read */
} channel;

struct os_process {
    HANDLE process, job;
    channel in, out; /* of the program */
};

/* ---- Pipes ---------------------------------------------------------------------------------------------- */

/* Unnamed pipes cannot be waited for; these have a name that nobody can guess, and take one client. */
static bool open_channel(channel *c, HANDLE *other, bool is_for_writing)
{
    wchar_t name[64];
    uint64_t number;
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    if (!os_random(&number, sizeof number))
        return false;
    swprintf(name, sizeof name / sizeof *name, L"\\\\.\\pipe\\tabiya-%lu-%016llx", GetCurrentProcessId(),
             (unsigned long long)number);
    c->pipe = CreateNamedPipeW(name,
                               (is_for_writing ? PIPE_ACCESS_OUTBOUND : PIPE_ACCESS_INBOUND) | FILE_FLAG_OVERLAPPED |
                                   FILE_FLAG_FIRST_PIPE_INSTANCE,
                               PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1,
                               PIPE_SIZE, PIPE_SIZE, 0, NULL);
    c->event = CreateEventW(NULL, TRUE, FALSE, NULL);
    *other = c->pipe == INVALID_HANDLE_VALUE ? INVALID_HANDLE_VALUE
                                             : CreateFileW(name, is_for_writing ? GENERIC_READ : GENERIC_WRITE, 0,
                                                           &inherited, OPEN_EXISTING, 0, NULL);
    return *other != INVALID_HANDLE_VALUE && c->event;
}

static void close_channel(channel *c)
{
    if (c->is_busy && CancelIoEx(c->pipe, &c->state)) {
        DWORD n;
        GetOverlappedResult(c->pipe, &c->state, &n, TRUE);
    }
    if (c->pipe && c->pipe != INVALID_HANDLE_VALUE)
        CloseHandle(c->pipe);
    if (c->event)
        CloseHandle(c->event);
}

/* The result of what was begun, -1 and EAGAIN if it is not over in time. */
static ptrdiff_t finish(channel *c, int milliseconds)
{
    DWORD n;
    if (WaitForSingleObject(c->event, (DWORD)milliseconds) != WAIT_OBJECT_0) {
        errno = EAGAIN;
        return -1;
    }
    c->is_busy = false;
    if (GetOverlappedResult(c->pipe, &c->state, &n, FALSE))
        return (ptrdiff_t)n;
    os_set_errno();
    return -1;
}

static bool begin(channel *c)
{
    c->state = (OVERLAPPED){.hEvent = c->event};
    c->is_busy = true;
    return true;
}

static bool has_begun(channel *c, BOOL is_done)
{
    c->is_busy = is_done || GetLastError() == ERROR_IO_PENDING;
    if (!c->is_busy)
        os_set_errno();
    return c->is_busy;
}

/* The bytes are copied, because the system may take them after the caller has given up. */
ptrdiff_t os_process_write(os_process *p, const void *bytes, size_t n, int milliseconds)
{
    channel *c = &p->in;
    const DWORD some = n < BUFFER_SIZE ? (DWORD)n : BUFFER_SIZE;
    if (c->is_busy) { /* the program does not read */
        errno = EAGAIN;
        return -1;
    }
    memcpy(c->bytes, bytes, some);
    if (!begin(c) || !has_begun(c, WriteFile(c->pipe, c->bytes, some, NULL, &c->state)))
        return -1;
    return finish(c, milliseconds);
}

ptrdiff_t os_process_read(os_process *p, void *to, size_t n, int milliseconds)
{
    channel *c = &p->out;
    if (c->at == c->n) {
        if (!c->is_busy && (!begin(c) || !has_begun(c, ReadFile(c->pipe, c->bytes, BUFFER_SIZE, NULL, &c->state))))
            return errno == EPIPE ? 0 : -1;
        const ptrdiff_t got = finish(c, milliseconds);
        if (got < 0)
            return errno == EPIPE ? 0 : -1;
        c->at = 0;
        c->n = (DWORD)got;
    }
    const size_t some = n < c->n - c->at ? n : c->n - c->at;
    memcpy(to, c->bytes + c->at, some);
    c->at += (DWORD)some;
    return (ptrdiff_t)some;
}

/* ---- Starting ------------------------------------------------------------------------------------------- */

/* The program's path as the first word of a command line. A name without a folder is looked for on the PATH, never in
   the current folder. */
static wchar_t *command_line(const char *program)
{
    static const wchar_t extension[] = L".exe";
    wchar_t *name = os_wide(program), *line = NULL, *path = NULL;
    const bool is_path = strpbrk(program, "/\\:") != NULL;
    const DWORD n_path = GetEnvironmentVariableW(L"PATH", NULL, 0);
    DWORD n = 0;
    if (name && !is_path && n_path && (path = malloc(n_path * sizeof *path)) != NULL)
        GetEnvironmentVariableW(L"PATH", path, n_path);
    if (name && (is_path || path) && (n = SearchPathW(is_path ? NULL : path, name, extension, 0, NULL, NULL)) > 0 &&
        (line = calloc(n + 3, sizeof *line)) != NULL) {
        line[0] = L'"';
        SearchPathW(is_path ? NULL : path, name, extension, n, line + 1, NULL);
        wcscat(line, L"\"");
    }
    if (!line)
        errno = n ? ENOMEM : ENOENT;
    free(path);
    free(name);
    return line;
}

/* Everything in the job ends with the last handle to it, which is ours. */
static HANDLE new_job(void)
{
    HANDLE job = CreateJobObjectW(NULL, NULL);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
        .BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE |
                                            JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION};
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
    return job;
}

/* The child inherits these three handles and no others. */
static bool create(HANDLE *process, HANDLE job, wchar_t *line, HANDLE in, HANDLE out, HANDLE error, DWORD flags)
{
    HANDLE handles[] = {in, out, error};
    SIZE_T size = 0;
    PROCESS_INFORMATION made = {0};
    STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start,
                                            .dwFlags = STARTF_USESTDHANDLES,
                                            .hStdInput = in,
                                            .hStdOutput = out,
                                            .hStdError = error}};
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    start.lpAttributeList = malloc(size);
    if (!start.lpAttributeList || !InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size)) {
        free(start.lpAttributeList);
        errno = ENOMEM;
        return false;
    }
    UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles, sizeof handles,
                              NULL, NULL);
    const bool is_made = CreateProcessW(NULL, line, NULL, NULL, TRUE,
                                        flags | CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                                        &start.StartupInfo, &made);
    if (!is_made)
        os_set_errno();
    DeleteProcThreadAttributeList(start.lpAttributeList);
    free(start.lpAttributeList);
    if (is_made) {
        if (job)
            AssignProcessToJobObject(job, made.hProcess);
        ResumeThread(made.hThread);
        CloseHandle(made.hThread);
        *process = made.hProcess;
    }
    return is_made;
}

static HANDLE open_nothing(void)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    return CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
}

os_process *os_process_start(const char *program)
{
    os_process *p = calloc(1, sizeof *p);
    wchar_t *line = p ? command_line(program) : NULL;
    HANDLE in = INVALID_HANDLE_VALUE, out = INVALID_HANDLE_VALUE, nothing = open_nothing();
    bool is_good = line != NULL;
    if (is_good && !(is_good = open_channel(&p->in, &in, true) && open_channel(&p->out, &out, false) &&
                               (p->job = new_job()) != NULL))
        os_set_errno();
    is_good = is_good && create(&p->process, p->job, line, in, out, nothing,
                                CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP | BELOW_NORMAL_PRIORITY_CLASS);
    const int error = errno;
    const HANDLE ends[] = {in, out, nothing};
    for (int i = 0; i < 3; i++)
        if (ends[i] != INVALID_HANDLE_VALUE)
            CloseHandle(ends[i]);
    free(line);
    if (is_good)
        return p;
    os_process_end(p);
    errno = p ? error : ENOMEM;
    return NULL;
}

void os_process_limit_memory(os_process *p, unsigned mebibytes)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
    if (!QueryInformationJobObject(p->job, JobObjectExtendedLimitInformation, &limits, sizeof limits, NULL))
        return;
    limits.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
    limits.JobMemoryLimit = (SIZE_T)mebibytes << 20;
    SetInformationJobObject(p->job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
}

void os_process_end(os_process *p)
{
    if (!p)
        return;
    if (p->job)
        TerminateJobObject(p->job, 1);
    if (p->process) {
        TerminateProcess(p->process, 1);
        WaitForSingleObject(p->process, INFINITE);
        CloseHandle(p->process);
    }
    close_channel(&p->in);
    close_channel(&p->out);
    if (p->job)
        CloseHandle(p->job);
    free(p);
}

/* ---- Others --------------------------------------------------------------------------------------------- */

/* A copy of a stream's handle that a child may inherit. */
static HANDLE inheritable(FILE *stream)
{
    HANDLE copy = INVALID_HANDLE_VALUE, self = GetCurrentProcess();
    DuplicateHandle(self, (HANDLE)_get_osfhandle(_fileno(stream)), self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS);
    return copy;
}

/* Appends a word; ours need no quotes. */
static wchar_t *append(wchar_t *line, const char *word)
{
    wchar_t *wide = os_wide(word);
    wchar_t *longer = wide ? realloc(line, (wcslen(line) + wcslen(wide) + 2) * sizeof *line) : NULL;
    if (longer) {
        wcscat(longer, L" ");
        wcscat(longer, wide);
    } else {
        free(line);
    }
    free(wide);
    return longer;
}

int os_run(const char *const *arguments, FILE *in, FILE *out)
{
    wchar_t *line = command_line(arguments[0]);
    HANDLE process = NULL, from = inheritable(in), to = inheritable(out), nothing = open_nothing();
    DWORD code = 0;
    for (size_t i = 1; line && arguments[i]; i++)
        line = append(line, arguments[i]);
    const bool is_started = line && create(&process, NULL, line, from, to, nothing, CREATE_NO_WINDOW);
    const int error = errno;
    free(line);
    CloseHandle(from);
    CloseHandle(to);
    CloseHandle(nothing);
    errno = error;
    if (!is_started)
        return -1;
    WaitForSingleObject(process, INFINITE);
    const bool has_code = GetExitCodeProcess(process, &code);
    CloseHandle(process);
    errno = 0;
    return has_code && code <= 255 ? (int)code : -1;
}

/* There is no pager worth using, and the console scrolls. */
bool os_page_output(const char *usual)
{
    (void)usual;
    return false;
}

unsigned long os_process_number(void) { return GetCurrentProcessId(); }

bool os_open_in_browser(const char *url)
{
    wchar_t *wide = os_wide(url);
    const bool is_open = wide && (intptr_t)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > 32;
    free(wide);
    return is_open;
}

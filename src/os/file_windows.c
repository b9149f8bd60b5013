/*
 * file_windows.c - files of Windows, as descriptors of the C runtime.
 *
 * Every file is opened so that others may still read, write, rename and remove it, as on other systems. Names are
 * turned into UTF-16 here, so that they do not depend on the code page; see os_wide_path for long ones.
 */
#include "os/file.h"
#include "os/windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

/* ---- Errors and names ----------------------------------------------------------------------------------- */

void os_set_errno_of(DWORD error)
{
    static const struct {
        DWORD error;
        int number;
    } known[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},    {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},       {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},      {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},      {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_ACCESS_DENIED, EACCES},     {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EACCES},    {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM}, {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_FILE_EXISTS, EEXIST},       {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},         {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},  {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_BROKEN_PIPE, EPIPE},        {ERROR_NO_DATA, EPIPE},
        {ERROR_INVALID_HANDLE, EBADF},     {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_NOT_SAME_DEVICE, EXDEV},    {ERROR_INVALID_PARAMETER, EINVAL},
        {ERROR_BAD_EXE_FORMAT, ENOEXEC},   {ERROR_PRIVILEGE_NOT_HELD, EPERM},
    };
    errno = EIO;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].error == error)
            errno = known[i].number;
}

void os_set_errno(void) { os_set_errno_of(GetLastError()); }

wchar_t *os_wide(const char *s)
{
    const int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, s, -1, NULL, 0);
    wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;
    if (wide)
        MultiByteToWideChar(CP_UTF8, 0, s, -1, wide, n);
    else
        errno = n > 0 ? ENOMEM : ENOENT; /* no file has a name that is not UTF-8 */
    return wide;
}

char *os_narrow(const wchar_t *s)
{
    const int n = WideCharToMultiByte(CP_UTF8, 0, s, -1, NULL, 0, NULL, NULL);
    char *narrow = malloc((size_t)n);
    if (narrow)
        WideCharToMultiByte(CP_UTF8, 0, s, -1, narrow, n, NULL, NULL);
    else
        errno = ENOMEM;
    return narrow;
}

/* Names of up to 247 characters may have files in folders of that length. */
enum { SHORT_PATH = 247 };

/* The absolute path, with \\?\ or \\?\UNC\ before it. */
static wchar_t *lengthen(const wchar_t *wide)
{
    static const wchar_t local[] = L"\\\\?\\", shared[] = L"\\\\?\\UNC\\";
    const DWORD n = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t *out = n ? malloc((n + sizeof shared / sizeof *shared) * sizeof *out) : NULL;
    wchar_t *full = n ? malloc(n * sizeof *full) : NULL;
    if (out && full && GetFullPathNameW(wide, n, full, NULL) < n) {
        const bool is_shared = full[0] == L'\\' && full[1] == L'\\';
        wcscpy(out, is_shared ? shared : local);
        wcscat(out, full + (is_shared ? 2 : 0));
    } else {
        errno = n ? ENOMEM : ENOENT;
        free(out);
        out = NULL;
    }
    free(full);
    return out;
}

wchar_t *os_wide_path(const char *path)
{
    if (!*path) {
        errno = ENOENT;
        return NULL;
    }
    wchar_t *wide = os_wide(path);
    if (!wide || (wide[0] == L'\\' && wide[1] == L'\\' && (wide[2] == L'?' || wide[2] == L'.')))
        return wide;
    if (GetFullPathNameW(wide, 0, NULL, NULL) < SHORT_PATH)
        return wide;
    wchar_t *longer = lengthen(wide);
    free(wide);
    return longer;
}

const char *os_name_in_path(const char *path)
{
    const char *name = path;
    for (const char *s = path; *s; s++)
        if (os_is_separator(*s) || (*s == ':' && s == path + 1))
            name = s + 1;
    return name;
}

bool os_is_separator(char c) { return c == '/' || c == '\\'; }

/* ---- What is there -------------------------------------------------------------------------------------- */

/* Between 1601 and 1970, in steps of 100 nanoseconds. */
#define EPOCH 116444736000000000LL

static os_kind kind_of(HANDLE file, DWORD attributes)
{
    const DWORD type = GetFileType(file);
    return type != FILE_TYPE_DISK                      ? OS_OTHER
           : attributes & FILE_ATTRIBUTE_REPARSE_POINT ? OS_LINK
           : attributes & FILE_ATTRIBUTE_DIRECTORY     ? OS_FOLDER
                                                       : OS_FILE;
}

/* Some file systems have numbers of 128 bits, which only the newer call returns. */
static os_identity identity_of(HANDLE file, const BY_HANDLE_FILE_INFORMATION *info)
{
    FILE_ID_INFO id;
    os_identity out = {info->dwVolumeSerialNumber, {(uint64_t)info->nFileIndexHigh << 32 | info->nFileIndexLow, 0}};
    if (GetFileInformationByHandleEx(file, FileIdInfo, &id, sizeof id)) {
        out.device = id.VolumeSerialNumber;
        memcpy(out.file, &id.FileId, sizeof out.file);
    }
    return out;
}

static bool about_handle(os_about *out, HANDLE file)
{
    BY_HANDLE_FILE_INFORMATION info = {0};
    *out = (os_about){.kind = OS_OTHER, .n_names = 1, .mode = 0666};
    if (!GetFileInformationByHandle(file, &info))
        return GetFileType(file) != FILE_TYPE_UNKNOWN || (os_set_errno(), false);
    const int64_t written = ((int64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime) -
                            EPOCH;
    *out = (os_about){.kind = kind_of(file, info.dwFileAttributes),
                      .identity = identity_of(file, &info),
                      .size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow,
                      .n_names = info.nNumberOfLinks,
                      .seconds = written / 10000000,
                      .nanoseconds = written % 10000000 * 100,
                      .mode = info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0666};
    return true;
}

static bool about_name(os_about *out, const char *path, DWORD flags)
{
    wchar_t *wide = os_wide_path(path);
    HANDLE file = wide ? CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                     NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL)
                       : INVALID_HANDLE_VALUE;
    if (wide && file == INVALID_HANDLE_VALUE)
        os_set_errno();
    const bool is_good = file != INVALID_HANDLE_VALUE && about_handle(out, file);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    free(wide);
    return is_good;
}

bool os_about_path(os_about *out, const char *path) { return about_name(out, path, 0); }
bool os_about_link(os_about *out, const char *path) { return about_name(out, path, FILE_FLAG_OPEN_REPARSE_POINT); }

static HANDLE handle_of(int file) { return (HANDLE)_get_osfhandle(file); }

bool os_about_open(os_about *out, int file)
{
    const HANDLE handle = handle_of(file);
    if (handle == INVALID_HANDLE_VALUE) {
        errno = EBADF;
        return false;
    }
    return about_handle(out, handle);
}

static bool may(const char *path, int how)
{
    const int file = os_is_folder(path) ? -1 : os_open(path, how, 0);
    if (file >= 0)
        os_close(file);
    return file >= 0 || (how == OS_READ && os_is_folder(path));
}

bool os_may_read(const char *path) { return may(path, OS_READ); }
bool os_may_write(const char *path) { return may(path, OS_WRITE); }

/* Without \\?\ before it. To be freed, like the path that it takes. */
static char *shorten(wchar_t *full)
{
    const bool is_shared = full && wcsncmp(full, L"\\\\?\\UNC\\", 8) == 0;
    if (is_shared)
        full[6] = L'\\'; /* \\?\UNC\server is \\server */
    char *out = full ? os_narrow(full + (is_shared ? 6 : wcsncmp(full, L"\\\\?\\", 4) == 0 ? 4 : 0)) : NULL;
    free(full);
    return out;
}

/* With all links followed; not every file system can tell. NULL on failure. */
static wchar_t *final_path(HANDLE file)
{
    const DWORD n = GetFinalPathNameByHandleW(file, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *full = n ? malloc((n + 1) * sizeof *full) : NULL;
    const DWORD got = full ? GetFinalPathNameByHandleW(file, full, n + 1, FILE_NAME_NORMALIZED) : 0;
    if (got > 0 && got <= n)
        return full;
    free(full);
    return NULL;
}

char *os_full_path(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    HANDLE file = wide ? CreateFileW(wide, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                     NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
                       : INVALID_HANDLE_VALUE;
    if (file == INVALID_HANDLE_VALUE) {
        if (wide)
            os_set_errno();
        free(wide);
        return NULL;
    }
    wchar_t *full = final_path(file);
    CloseHandle(file);
    if (!full && wcsncmp(wide, L"\\\\?\\", 4) == 0)
        return shorten(wide);
    if (!full)
        full = lengthen(wide);
    free(wide);
    return shorten(full);
}

/* ---- Opening and closing -------------------------------------------------------------------------------- */

static DWORD access_of(int how)
{
    return how & OS_APPEND  ? FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE
           : how & OS_WRITE ? GENERIC_WRITE
                            : GENERIC_READ;
}

static DWORD disposition_of(int how)
{
    return how & OS_NEW                                               ? CREATE_NEW
           : (how & (OS_CREATE | OS_EMPTY)) == (OS_CREATE | OS_EMPTY) ? CREATE_ALWAYS
           : how & OS_CREATE                                          ? OPEN_ALWAYS
           : how & OS_EMPTY                                           ? TRUNCATE_EXISTING
                                                                      : OPEN_EXISTING;
}

static int descriptor_of(HANDLE file, int how)
{
    const int flags = (how & OS_APPEND ? _O_APPEND : 0) | (how & (OS_WRITE | OS_APPEND) ? 0 : _O_RDONLY);
    const int descriptor = _open_osfhandle((intptr_t)file, flags | _O_BINARY | _O_NOINHERIT);
    if (descriptor < 0)
        CloseHandle(file);
    return descriptor;
}

/* A folder cannot be opened as a file, and a link only when it may be followed. */
static bool is_allowed(HANDLE file, int how)
{
    os_about about;
    if (!(how & OS_NO_LINK) || !about_handle(&about, file) || about.kind != OS_LINK)
        return true;
    CloseHandle(file);
    errno = ELOOP;
    return false;
}

int os_open(const char *path, int how, unsigned mode)
{
    const DWORD flags = FILE_ATTRIBUTE_NORMAL | (how & OS_NO_LINK ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    wchar_t *wide = strcmp(path, "/dev/null") == 0 ? os_wide("NUL") : os_wide_path(path);
    (void)mode; /* rights are inherited from the folder */
    if (!wide)
        return -1;
    const HANDLE file = CreateFileW(wide, access_of(how), FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                    disposition_of(how), flags, NULL);
    free(wide);
    if (file != INVALID_HANDLE_VALUE)
        return is_allowed(file, how) ? descriptor_of(file, how) : -1;
    const DWORD error = GetLastError();
    os_set_errno_of(error);
    if (error == ERROR_ACCESS_DENIED && os_is_folder(path))
        errno = EISDIR;
    else if (error == ERROR_ACCESS_DENIED)
        errno = EACCES;
    return -1;
}

bool os_close(int file) { return _close(file) == 0; }

/* Inherited by no other program. */
int os_duplicate(int file)
{
    const int copy = _dup(file);
    if (copy >= 0)
        SetHandleInformation(handle_of(copy), HANDLE_FLAG_INHERIT, 0);
    return copy;
}

FILE *os_stream_of(int file, const char *mode)
{
    char binary[4] = {mode[0], 'b'};
    return _fdopen(file, binary);
}

FILE *os_open_stream(const char *path, const char *mode)
{
    const int how = *mode == 'w' ? OS_WRITE | OS_CREATE | OS_EMPTY : *mode == 'a' ? OS_APPEND | OS_CREATE : OS_READ;
    const int file = os_open(path, how, 0666);
    FILE *stream = file < 0 ? NULL : os_stream_of(file, mode);
    if (file >= 0 && !stream)
        os_close(file);
    return stream;
}

/* ---- Bytes ---------------------------------------------------------------------------------------------- */

enum { CHUNK = 1 << 28 };

ptrdiff_t os_read(int file, void *to, size_t n) { return _read(file, to, n < CHUNK ? (unsigned)n : CHUNK); }

ptrdiff_t os_write(int file, const void *bytes, size_t n)
{
    return _write(file, bytes, n < CHUNK ? (unsigned)n : CHUNK);
}

/* With the place in the call, so that threads do not disturb each other. */
static OVERLAPPED place_at(uint64_t offset)
{
    return (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
}

bool os_read_at(int file, void *to, size_t n, uint64_t offset)
{
    for (size_t at = 0; at < n;) {
        OVERLAPPED place = place_at(offset + at);
        DWORD done = 0;
        if (!ReadFile(handle_of(file), (char *)to + at, n - at < CHUNK ? (DWORD)(n - at) : CHUNK, &done, &place) ||
            done == 0) {
            os_set_errno();
            return false;
        }
        at += done;
    }
    return true;
}

bool os_write_at(int file, const void *bytes, size_t n, uint64_t offset)
{
    for (size_t at = 0; at < n;) {
        OVERLAPPED place = place_at(offset + at);
        DWORD done = 0;
        if (!WriteFile(handle_of(file), (const char *)bytes + at, n - at < CHUNK ? (DWORD)(n - at) : CHUNK, &done,
                       &place) ||
            done == 0) {
            os_set_errno();
            return false;
        }
        at += done;
    }
    return true;
}

bool os_truncate(int file, uint64_t size)
{
    FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = (LONGLONG)size};
    if (SetFileInformationByHandle(handle_of(file), FileEndOfFileInfo, &end, sizeof end))
        return true;
    os_set_errno();
    return false;
}

bool os_sync(int file)
{
    if (FlushFileBuffers(handle_of(file)))
        return true;
    os_set_errno();
    return false;
}

/* Files have them at once; of a pipe the system can say how many bytes are in it, of a console whether a key was
   pressed. */
bool os_wait_for_input(int file, int milliseconds)
{
    enum { STEP = 10 };
    const HANDLE handle = handle_of(file);
    const DWORD type = GetFileType(handle);
    DWORD n = 0;
    if (type == FILE_TYPE_CHAR)
        return WaitForSingleObject(handle, (DWORD)milliseconds) == WAIT_OBJECT_0;
    if (type != FILE_TYPE_PIPE)
        return true;
    for (int left = milliseconds; PeekNamedPipe(handle, NULL, 0, NULL, &n, NULL) && n == 0; left -= STEP) {
        if (left <= 0)
            return false;
        Sleep(STEP);
    }
    return true;
}

ptrdiff_t os_read_line(char **line, size_t *cap, FILE *stream)
{
    size_t n = 0;
    for (int c = 0; c != '\n' && (c = getc(stream)) != EOF;) {
        if (n + 2 > *cap) {
            const size_t more = *cap ? *cap * 2 : 128;
            char *grown = realloc(*line, more);
            if (!grown) {
                errno = ENOMEM;
                return -1;
            }
            *line = grown;
            *cap = more;
        }
        (*line)[n++] = (char)c;
    }
    if (n == 0)
        return -1;
    (*line)[n] = '\0';
    return (ptrdiff_t)n;
}

/* A file that a virus scanner has open is removed later, which is the same to others. */
bool os_remove(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    if (!wide)
        return false;
    const bool is_good = DeleteFileW(wide);
    if (!is_good)
        os_set_errno();
    free(wide);
    return is_good;
}

/* The C runtime calls it an invalid argument, or forgets it. */
bool os_is_pipe_closed(FILE *stream, int error)
{
    return error == EPIPE ||
           ((error == EINVAL || error == 0) && GetFileType(handle_of(_fileno(stream))) == FILE_TYPE_PIPE);
}

int os_errno_of(int number)
{
    if (number)
        os_set_errno_of((DWORD)number);
    return number ? errno : 0;
}

bool os_is_remote(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    const DWORD n = wide ? GetFullPathNameW(wide, 0, NULL, NULL) + 1 : 0;
    wchar_t *volume = n ? malloc(n * sizeof *volume) : NULL;
    const bool is_remote = volume && GetVolumePathNameW(wide, volume, n) && GetDriveTypeW(volume) == DRIVE_REMOTE;
    free(volume);
    free(wide);
    return is_remote;
}

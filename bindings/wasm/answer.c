/*
 * answer.c - the text returned by the last call, usually JSON, and the caller's memory.
 *
 * Keeps    the buffer only grows; it is the only state of the module besides the caller's handles.
 */
#include "answer.h"

#include <stdlib.h>

buffer answer;

/* ---- Memory --------------------------------------------------------------------------------------------- */

void buffer_no_memory(void) { __builtin_trap(); }

void *EXPORT(memory_new)(size_t n)
{
    void *memory = malloc(n ? n : 1);
    if (!memory)
        __builtin_trap();
    return memory;
}

void EXPORT(memory_free)(void *memory) { free(memory); }

const char *EXPORT(answer_text)(void) { return answer.s; }
size_t EXPORT(answer_size)(void) { return answer.n; }

/* ---- Text ----------------------------------------------------------------------------------------------- */

void answer_add(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    json_add_args(&answer, format, list);
    va_end(list);
}

void answer_begin(const char *format, ...)
{
    va_list list;
    buffer_clear(&answer);
    va_start(list, format);
    json_add_args(&answer, format, list);
    va_end(list);
}

char *answer_room(size_t n) { return buffer_room(&answer, n); }

char piece_letter(tby_piece piece)
{
    static const char letters[] = ".PBNRKQ..pbnrkq";
    return letters[piece & 15];
}

const char *square_name(tby_square square)
{
    static char names[TBY_NO_SQUARE][3];
    if (square >= TBY_NO_SQUARE)
        return NULL;
    names[square][0] = (char)('a' + TBY_FILE(square));
    names[square][1] = (char)('1' + TBY_RANK(square));
    return names[square];
}

bool answer_fault(tby_status status, size_t offset, const char *message)
{
    answer_begin("{'status':%d,'offset':%zu,'message':%s}", (int)status, offset, message);
    return false;
}

bool answer_error(const tby_error *err)
{
    char message[TBY_ERROR_SIZE];
    tby_error_write(message, sizeof message, err);
    return answer_fault(err->status, err->offset, message);
}

/* "2.Qh6"; what is too long for a move is cut. */
static void write_place(buffer *out, const tby_position *pos, const char *s, size_t n)
{
    enum { SHOWN_MAX = 40 };
    buffer_number(out, tby_position_fullmove(pos));
    buffer_string(out, tby_position_side(pos) == TBY_WHITE ? "." : "...");
    if (n > SHOWN_MAX)
        for (n = SHOWN_MAX; n && ((unsigned char)s[n] & 0xc0) == 0x80;) /* not within a character */
            n--;
    buffer_harmless(out, s, n, '?');
}

bool answer_move_error(const tby_error *err, const tby_position *pos, const char *s, size_t n)
{
    char text[TBY_ERROR_SIZE], fen[TBY_FEN_SIZE];
    buffer message = {0}, where = {0};
    tby_error_write(text, sizeof text, err);
    tby_fen_write_position(fen, sizeof fen, pos, 0);
    buffer_string(&message, text);
    buffer_string(&message, " (");
    write_place(&message, pos, s, n);
    buffer_string(&message, ")");
    write_place(&where, pos, s, n);
    buffer_string(&where, ", FEN ");
    buffer_string(&where, fen);
    answer_begin("{'status':%d,'offset':%zu,'message':%.*s,'where':%.*s}", (int)err->status, err->offset,
                 (int)message.n, message.s, (int)where.n, where.s);
    buffer_free(&message);
    buffer_free(&where);
    return false;
}

void answer_query_error(const tby_query_error *err)
{
    answer_begin("{'status':%d,'message':%s,'offset':%zu,'length':%zu,'line':%zu,'column':%zu,'field':%s,'near':%s}",
                 (int)err->status, err->text, err->offset, err->length, err->line, err->column, err->field,
                 err->near[0] ? err->near : NULL);
}

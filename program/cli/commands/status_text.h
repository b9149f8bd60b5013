/*
 * status_text.h - tabiya status for people.
 */
#ifndef TABIYA_CLI_STATUS_TEXT_H
#define TABIYA_CLI_STATUS_TEXT_H

#include "console.h"
#include "status.h"

void status_write_text(const status *s);

#endif

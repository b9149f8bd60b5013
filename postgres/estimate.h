/*
 * estimate.h - how many games an opening or a board will find.
 */
#ifndef TABIYA_POSTGRES_ESTIMATE_H
#define TABIYA_POSTGRES_ESTIMATE_H

#include <postgres.h>

#include <nodes/pathnodes.h>

/* The share of games that hasOpening(args) holds for. */
double estimate_opening(PlannerInfo *root, List *args, int relation);

#endif

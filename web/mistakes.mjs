/*
 * mistakes.mjs - the mistakes of the main line: those that are marked, and those that the evaluations of the game show.
 */
import { BAD_MARKS, evaluationOf, lossKind } from './evaluation.mjs';
import { MARK_KINDS } from './moves.mjs';

function kindOf(item, before) {
  const marked = item.nags.map((nag) => MARK_KINDS[nag]).find((kind) => BAD_MARKS[kind] && item.nags.includes(BAD_MARKS[kind]));
  if (marked) return marked;
  const [was, is] = [evaluationOf(before), evaluationOf(item)];
  return was && is ? lossKind(was, is, item.ply) : null;
}

const reviews = new WeakMap(); // of lists of moves, which are made again with every change

/** { isEvaluated, all: [{ item, before, kind }] }: `isEvaluated` if most moves of the main line have an evaluation. */
export function reviewOf(doc) {
  const known = reviews.get(doc.list);
  if (known) return known;
  const line = doc.list.moves.filter((item) => item.depth === 0);
  const all = line.map((item, i) => ({ item, before: line[i - 1], kind: kindOf(item, line[i - 1]) })).filter(({ kind }) => kind);
  const review = { isEvaluated: line.length > 1 && line.filter(evaluationOf).length > line.length / 2, all };
  reviews.set(doc.list, review);
  return review;
}

/** 'dubious', 'mistake', 'blunder' or null. */
export const judgementOf = (doc, node) => reviewOf(doc).all.find(({ item }) => item.node === node)?.kind ?? null;

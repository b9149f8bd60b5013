/*
 * mistakes.mjs - the review of the main line, once for each state of the game: its mistakes, and how well both sides played. The library
 * judges, as for `tabiya annotate`.
 */
const KINDS = { '?!': 'dubious', '?': 'mistake', '??': 'blunder' };

const reviews = new WeakMap(); // of lists of moves, which are made again with every change

/** { isEvaluated, all: [{ item, before, kind, phase }], white, black }: `isEvaluated` if most moves of the main line have an evaluation. */
export function reviewOf(doc) {
  const known = reviews.get(doc.list);
  if (known) return known;
  const line = doc.list.moves.filter((item) => item.depth === 0);
  const { evaluated, mistakes, white, black } = doc.game.review();
  const places = new Map(line.map(({ node }, i) => [node, i]));
  const all = mistakes.map(({ node, mark, phase }) => ({ item: line[places.get(node)], before: line[places.get(node) - 1], kind: KINDS[mark], phase }));
  const review = { isEvaluated: line.length > 1 && evaluated > line.length / 2, all, white, black };
  reviews.set(doc.list, review);
  return review;
}

/** 'dubious', 'mistake', 'blunder' or null. */
export const judgementOf = (doc, node) => reviewOf(doc).all.find(({ item }) => item.node === node)?.kind ?? null;

/*
 * source.mjs - where the page gets its games: one object with a function for everything that it asks.
 *
 * This one asks the server (docs/api.md). Another object with the same functions, such as one that reads a file of published
 * games, can take its place; `about` says what it can do.
 */
import { ask, askAhead, askEvents, askJson, askOnce, change, onReturn, recall } from './api.mjs';

const pathOf = (name) => `/collections/${encodeURIComponent(name)}`;
const HISTORY = { history: true, moves: 0, topGames: 0, recentGames: 0 };

export function serverSource() {
  return {
    /** { database, engine, engine_threads, writes }; null if there is no server. */
    about: () => askJson('').catch(() => null),
    /** Calls `act` when the server can be reached again. */
    onReturn,

    // ---- Games

    /** { games, more, query, near } for the conditions of /api/find. */
    find: (conditions, signal) => askJson('/find', conditions, signal),
    /** The same, from the cache if it is recent. */
    findOnce: (conditions, signal) => askOnce('/find', conditions, signal),
    isFound: (conditions) => Boolean(recall('/find', conditions)),
    count: async (conditions, signal) => (await askJson('/find', { ...conditions, count: 1 }, signal)).count,
    /** The text of a game, as PGN. */
    game: async (id, signal) => (await ask('/game', { id }, signal)).text(),
    /** What a text means: { query, parts: [{ kind, text, query }], games, others: [{ query, parts, games }] }. */
    understand: (text, signal) => askOnce('/understand', { text }, signal),
    /** Names like one that no game has. */
    similar: async (player, signal) => (await askOnce('/find', { player, count: 1 }, signal)).near ?? [],
    /** How a player has scored: the numbers of docs/api.md#apireport. */
    report: (parameters, signal) => askOnce('/report', parameters, signal),
    /** [{ name, games }] of players whose names match what was typed. */
    names: async (prefix, limit, signal) => (await askOnce('/names', { prefix, limit }, signal)).names,
    /** [{ name, sentence, query }] of the query language. */
    patterns: async () => (await askOnce('/patterns', {})).patterns,

    // ---- Positions

    explore: (conditions, signal) => askOnce('/explore', conditions, signal),
    exploreAhead: (conditions) => askAhead('/explore', conditions),
    isExplored: (conditions) => Boolean(recall('/explore', conditions)),
    /** [{ month, white, draws, black }] of the games that reach a position. */
    history: async (conditions, signal) => (await askOnce('lichess', { ...conditions, ...HISTORY }, signal)).history,
    gaps: (lines, side, limit) => askJson('/repertoire/gaps', { side, limit }, undefined, lines),

    // ---- Engine

    annotate: (pgn, parameters, signal) => askEvents('/annotate', parameters, signal, pgn),
    /** An EventSource with the lines of an engine. */
    analyse: (parameters) => new EventSource(`api/analyse?${new URLSearchParams(parameters)}`),

    // ---- Changes

    /** Saves a game in place of game `id`, or as a new one if that is null. Answers its number. */
    save: async (pgn, id) => (await change(id ? 'PUT' : 'POST', id ? `/games/${id}` : '/games', { body: pgn })).id,
    remove: (id) => change('DELETE', `/games/${id}`),
    collections: async (game) => (await askJson('/collections', game ? { game } : {})).collections,
    /** Adds games to a collection, or removes them; `parameters` are { ids } or conditions. Answers how many. */
    collect: async (name, parameters, isAdding) => (await change(isAdding ? 'POST' : 'DELETE', pathOf(name), { parameters })).changed,
  };
}

/*
 * api.mjs - requests to the server: see docs/api.md. Answers about positions are cached for a while. While the server
 * cannot be reached, the page shows a sign; failed requests are repeated when it is back.
 */
import { t } from './texts.mjs';
const KEPT = 300;
const KEPT_MS = 5 * 60_000;
const kept = new Map(); // by path and query, the newest last
const underWay = new Map(); // by path and query, requests that were made ahead of time
let nChanges = 0; // of the database
const connection = new EventTarget();
let isReached = true;

function reached(isSo) {
  if (isSo === isReached) return;
  isReached = isSo;
  connection.dispatchEvent(new Event(isSo ? 'return' : 'loss'));
}

/** Calls `act` when the server is back. */
export const onReturn = (act) => connection.addEventListener('return', act);

/** Shows in `sign` that the server is gone; `button` asks whether it is back. */
export function connectionSign(sign, button) {
  const draw = () => { sign.hidden = isReached; };
  const look = () => ask('').catch(() => {});
  for (const name of ['loss', 'return']) connection.addEventListener(name, draw);
  button.addEventListener('click', look);
  addEventListener('online', look);
  draw();
}

async function send(path, parameters, init) {
  const query = new URLSearchParams(parameters).toString();
  let response;
  try {
    response = await fetch(`${path === '' || path.startsWith('/') ? 'api' : ''}${path}${query ? `?${query}` : ''}`, init);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    reached(false);
    throw new Error(t('connection.lost'), { cause: error });
  }
  reached(true);
  if (response.ok) return response;
  const { error, ...place } = await response.json().catch(() => ({})); // the place in a query, if one is named
  init.signal?.throwIfAborted(); // the caller has given up: not an error
  throw Object.assign(new Error(error ?? t('connection.status', { status: response.status })), place, { status: response.status });
}

/** Asks the server: '/find' of /api, or 'lichess' of the explorer; a body is posted. Returns a Response; throws an error that can be shown to the user. */
export const ask = (path, parameters = {}, signal = undefined, body = undefined) => send(path, parameters,
  { signal, ...(body === undefined ? {} : { method: 'POST', body }) });

// ---- Changes

const TOKEN = 'tabiya.token';
let token = null;

/** Takes the token out of the address that `tabiya serve --write` has printed, so that it is in no link; a reload still knows it. Returns whether there is one. */
export function takeToken() {
  const query = new URLSearchParams(location.search);
  const given = query.get('token');
  query.delete('token');
  try {
    if (given) sessionStorage.setItem(TOKEN, given);
    token = given ?? sessionStorage.getItem(TOKEN);
  } catch {
    token = given; // it lasts as long as the page
  }
  if (given) history.replaceState(null, '', location.pathname + (query.size ? `?${query}` : '') + location.hash);
  return token !== null;
}

/** Changes the database and drops cached answers. Returns an object. */
export async function change(method, path, { parameters = {}, body = undefined } = {}) {
  const response = await send(path, parameters, { method, body, headers: { 'X-Tabiya-Token': token } });
  kept.clear();
  nChanges++;
  return response.json();
}

/** The server-sent events of an answer, one after the other: { event, data }, the data read as JSON. */
export async function* askEvents(...args) {
  const reader = (await ask(...args)).body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (text + part.value).split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
      yield { event: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

export const askJson = async (...args) => (await ask(...args)).json();

/** The cached answer to the same request, if it is recent. */
export function recall(path, parameters) {
  const entry = kept.get(`${path} ${JSON.stringify(parameters)}`);
  return entry && performance.now() - entry.at < KEPT_MS ? entry.answer : null;
}

/** Like askJson, but from the cache if possible; a pending request is not sent twice. */
export async function askOnce(path, parameters, signal) {
  const known = recall(path, parameters);
  if (known) return known;
  const key = `${path} ${JSON.stringify(parameters)}`;
  const before = nChanges;
  const answer = await (underWay.get(key) ?? askJson(path, parameters, signal));
  signal?.throwIfAborted();
  if (before !== nChanges) return answer; // it may be older than the last change
  kept.set(key, { answer, at: performance.now() });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
  return answer;
}

/** Requests what will be needed soon, before the page is first drawn. */
export function askAhead(path, parameters) {
  const key = `${path} ${JSON.stringify(parameters)}`;
  if (underWay.has(key) || recall(path, parameters)) return;
  const asked = askOnce(path, parameters).finally(() => underWay.delete(key));
  asked.catch(() => {}); // a caller that awaits the answer gets the error
  underWay.set(key, asked);
}

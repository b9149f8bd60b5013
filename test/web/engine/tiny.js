/*
 * tiny.js - an engine for tests: a worker script that speaks UCI, and loads tiny.wasm as engines do. It knows a few lines, and says in
 * its name what it could reach outside of its frame.
 */
const LINES = {
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w': ['cp 35 pv e2e4 e7e5 g1f3', 'cp 20 pv d2d4 d7d5 e1e8', 'cp 1 pv e2e5'],
  'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b': ['mate 3 pv e7e5', 'cp -20 pv c7c5'],
};
const SCORES = { w: 'cp 10 pv a2a3', b: 'cp 400 pv a7a6' };
const wasmName = decodeURIComponent(self.location.hash.slice(1));
let options = {};
let position = '';
let searching = 0;

async function reached(act) {
  try {
    await act();
    return true;
  } catch {
    return false;
  }
}

const outside = {
  network: () => fetch('https://example.org/'),
  server: () => fetch('/api'),
  request: () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.onload = resolve;
    request.onerror = reject;
    request.open('GET', 'http://127.0.0.1:1/');
    request.send();
  }),
  scripts: () => importScripts('http://127.0.0.1:1/x.js'),
  store: () => new Promise((resolve, reject) => {
    const opening = indexedDB.open('tabiya-engine', 1);
    opening.onsuccess = resolve;
    opening.onerror = reject;
  }),
  caches: () => caches.open('tabiya'),
};

const ready = (async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(wasmName), {});
  const found = [];
  for (const [name, act] of Object.entries(outside)) if (await reached(act)) found.push(name);
  return `Tiny ${instance.exports.answer()}${found.length ? ` reached ${found}` : ''}`;
})();

function search(ms) {
  const key = position.split(' ').slice(0, 2).join(' ');
  const lines = LINES[key] ?? [SCORES[key.split(' ')[1]]];
  postMessage(`info depth 1 string nothing\ninfo depth 99 multipv 9 score cp 1 pv e2e4\ninfo depth x score cp y pv e2e4`);
  for (const [i, line] of lines.entries()) if (i < (options.multipv ?? 1)) postMessage(`info depth 7 seldepth 9 multipv ${i + 1} score ${line.split(' pv ')[0]} nodes 100 nps 5 pv ${line.split(' pv ')[1]}`);
  searching = setTimeout(stop, ms);
}

function stop() {
  if (!searching) return;
  clearTimeout(searching);
  searching = 0;
  postMessage('bestmove e2e4');
}

onmessage = async ({ data }) => {
  const words = data.split(' ');
  const answers = {
    uci: async () => postMessage(`id name ${await ready}\noption name MultiPV type spin default 1 min 1 max 500\noption name Threads type spin default 1 min 1 max 1024\nuciok`),
    isready: () => postMessage('readyok'),
    setoption: () => { options[words[2].toLowerCase()] = Number(words[4]); },
    position: () => { position = words.slice(2).join(' '); },
    go: () => { if (position.startsWith('8/8/8/8/8/k7/8/K7')) throw new Error('this engine has fallen over'); search(Number(words[2])); },
    stop,
  };
  await answers[words[0]]?.();
};

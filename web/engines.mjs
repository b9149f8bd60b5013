/*
 * engines.mjs - which engine the page uses: files that the user has chosen, those beside the page, or the server's program.
 *
 * Chosen files are kept in the browser; the settings have their names.
 */
import { fileBeside, isSingle, moduleBeside } from './beside.mjs';
import { byId, complain } from './dom.mjs';
import { t } from './texts.mjs';

const isScript = (name) => /\.m?js$/.test(name);

/** What `act` asks of the files in the browser's store. */
const inStore = (mode, act) => new Promise((resolve, reject) => {
  const opening = indexedDB.open('tabiya-engine', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('files');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const request = act(opening.result.transaction('files', mode).objectStore('files'));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    opening.result.close();
  };
});

/** Files of the operator, which are large: they are fetched when the engine starts. */
const filesBeside = (names) => () => Promise.all(names.map(async (name) => {
  const response = await fetch(`engine/${name}`);
  if (!response.ok) throw new Error(`engine/${name} cannot be loaded: status ${response.status}`);
  return { name, blob: await response.blob() };
}));

/** `panel.use(engine)` gets it, null for none. */
export function engineChoice({ doc, look, source, server }, panel) {
  const [input, removal, hint] = ['engine-files', 'engine-remove', 'engine-chosen'].map(byId);
  const published = document.querySelector('meta[name="tabiya-engine"]')?.content.split(' ');
  const beside = server?.browser_engine ?? published;
  let chosen = null; // files of this visit
  let current = null;

  async function inBrowser(names, files) {
    const { BrowserEngine } = await moduleBeside('engine-page.mjs');
    const isInline = isSingle() || (Boolean(source.isPublished) && crossOriginIsolated);
    return new BrowserEngine(doc.tabiya, names.find(isScript).replace(/\.m?js$/, ''), files, { address: fileBeside('engine-frame.html').href, isInline });
  }

  function use(engine) {
    current = engine;
    panel.use(engine);
  }

  async function change() {
    const names = look.settings.engine;
    removal.hidden = !names;
    hint.textContent = names ? names.join(', ') : t('engine.choose');
    current?.end?.();
    if (!names && !beside) {
      use(server?.engine ? { name: server.engine, threads: server.engine_threads ?? 1, analyse: source.analyse, annotate: source.annotate } : null);
      return;
    }
    const files = !names ? filesBeside(beside) : async () => {
      chosen ??= await inStore('readonly', (store) => store.get('all'));
      if (!chosen) throw new Error(t('engine.lost'));
      return chosen;
    };
    use(await inBrowser(names ?? beside, files));
  }

  input.addEventListener('change', async () => {
    const files = [...input.files].map((file) => ({ name: file.name, blob: file }));
    input.value = '';
    if (files.filter(({ name }) => isScript(name)).length !== 1) {
      complain(t('engine.which'));
      return;
    }
    chosen = files;
    await inStore('readwrite', (store) => store.put(files, 'all')).catch(() => {}); // private windows keep nothing
    look.set({ engine: files.map(({ name }) => name) });
    await change();
  });
  removal.addEventListener('click', async () => {
    chosen = null;
    look.set({ engine: null });
    await change();
    await inStore('readwrite', (store) => store.delete('all')).catch(() => {});
  });
  change().catch((error) => complain(error.message));
}

/*
 * beside.mjs - files beside the page's script, and modules that are loaded when they are needed. In one HTML file these have no address.
 */
export const isSingle = () => Boolean(document.documentElement.dataset.single);

export const fileBeside = (name) => new URL(name, import.meta.url);

export async function moduleBeside(name) {
  const address = fileBeside(name);
  return import(isSingle() ? URL.createObjectURL(await (await fetch(address)).blob()) : address.href);
}

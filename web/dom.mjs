/*
 * dom.mjs - creates and finds elements, and has small helpers that every panel needs.
 */

/**
 * An element: h('button', { class: 'x', onclick: f }, 'text', child). Properties, but for class, aria-*, data-* and role.
 * @param {string} tag
 * @param {Object<string, any>} properties
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'class' || name === 'role' || name === 'for' || name.includes('-')) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A picture out of a sprite: icon('#icon-copy'), icon('pieces.svg#wk', 40). */
export function icon(href, size = 24) {
  const svg = document.createElementNS(SVG, 'svg');
  const use = document.createElementNS(SVG, 'use');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', href);
  svg.append(use);
  return svg;
}

/** Lets the page do other work, such as drawing and handling keys; without `scheduler` each call takes some milliseconds. */
export const rest = () => globalThis.scheduler?.yield?.() ?? new Promise((resolve) => { setTimeout(resolve); });

/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

/** The message that is shown. */
const message = { timer: 0, outlasts: false };

/**
 * A message above everything, dialogs too. A plain one goes away by itself; with an `action` [label, act] it stays longer. One that
 * `outlasts` what happens next is closed by the user alone, or replaced.
 */
export function toast(text, { action = null, stays = false, outlasts = false } = {}) {
  const box = byId('toast');
  const button = byId('toast-action');
  byId('toast-text').textContent = text;
  box.dataset.kind = stays ? 'error' : '';
  button.hidden = !action;
  button.textContent = action?.[0] ?? '';
  button.onclick = () => {
    closeToast();
    action[1]();
  };
  byId('toast-close').hidden = !stays && !outlasts && !action;
  closeToast();
  (document.querySelector('dialog:modal') ?? document.body).append(box); // all but a modal dialog is inert
  box.showPopover();
  clearTimeout(message.timer);
  message.outlasts = outlasts;
  if (!stays && !outlasts) message.timer = setTimeout(closeToast, action ? 6000 : 2600);
}

/** The message stays when its dialog is closed. */
export function keepToastOf(dialog) {
  dialog.addEventListener('close', () => {
    const box = byId('toast');
    if (!dialog.contains(box)) return;
    const isShown = box.matches(':popover-open');
    document.body.append(box);
    if (isShown) box.showPopover();
  });
}

/** An error message; it stays until it is closed or replaced. */
export const complain = (text) => toast(text, { stays: true });

export function closeToast() {
  const box = byId('toast');
  if (box.matches(':popover-open')) box.hidePopover();
}

/** The user did something else: closes the message, unless it outlasts that. */
export function passToast() {
  if (!message.outlasts) closeToast();
}

/** Tells screen readers something. */
export function announce(text) {
  byId('live').textContent = text;
}

/** Calls `f` when there was no further call for `ms` milliseconds. */
export function debounce(f, ms) {
  let timer;
  const later = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), ms);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}

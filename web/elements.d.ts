/*
 * elements.d.ts - for the check of types: what the page expects of elements that it finds by a selector, without saying each time
 * which kind they are.
 */
interface Event {
  readonly detail: any;
}
interface EventTarget {
  closest(selector: string): any;
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}
interface Node {
  data: any;
}
interface Element {
  readonly dataset: any;
  content: any;
}
interface HTMLElement {
  value: any;
  checked: any;
}

// Opens the page that `lanecull cull --html` writes and prints the document that its script makes of it, as a browser's
// --dump-dom does, but for the scripts: node shown_page.mjs FILE [#FRAGMENT]
// It reads as much of HTML as the page has, and fails at anything else: an end tag without its start, an unknown
// entity, a method or property that the elements below lack.
import {readFileSync} from 'node:fs';

const empty_tags = ['meta', 'img', 'input'];  // have neither content nor end tag
const raw_tags = ['script', 'style'];         // have text that ends at their end tag, whatever it says
const escapes = {'<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;'};
const characters = Object.fromEntries(Object.entries(escapes).map(([character, entity]) => [entity, character]));

function unescaped(text) {
  return text.replace(/&[^;\s]*;?/g, (entity) => {
    if (!(entity in characters)) throw new Error(`unknown entity ${entity}`);
    return characters[entity];
  });
}
const escaped = (text, which) => text.replace(which, (character) => escapes[character]);

class Element {
  attributes = new Map();
  nodes = [];  // elements and texts
  constructor(tag) {
    this.tag = tag;
    this.dataset = new Proxy(this, {set: (self, name, value) => (self.setAttribute(`data-${name}`, value), true)});
    Object.preventExtensions(this);
  }
  get children() { return this.nodes.filter((node) => node instanceof Element); }
  get textContent() { return this.nodes.map((node) => node.textContent ?? node).join(''); }
  set textContent(text) { this.nodes = [String(text)]; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  appendChild(node) {
    this.nodes.push(node);
    return node;
  }
  replaceChildren() { this.nodes = []; }
  addEventListener() {}  // nothing happens on the page
  find(is_wanted) {
    return is_wanted(this) ? this : this.children.reduce((found, child) => found ?? child.find(is_wanted), undefined);
  }
  toString() {
    if (this.tag === 'script') return '';
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${escaped(value, /[&"]/g)}"`).join('');
    const content = this.nodes.map((node) => node instanceof Element ? String(node) : escaped(node, /[<>&]/g)).join('');
    return `<${this.tag}${attributes}>` + (empty_tags.includes(this.tag) ? '' : `${content}</${this.tag}>`);
  }
}

// The element <html> of a page.
function parsed(html) {
  const page = new Element('page'), open = [page];
  const token = /<!DOCTYPE html>|<\/([a-z0-9]+)>|<([a-z0-9]+)((?:\s+[a-z-]+="[^"]*")*)>|[^<]+/gy;
  while (token.lastIndex < html.length) {
    const at = token.lastIndex, found = token.exec(html), parent = open.at(-1);
    if (!found) throw new Error(`neither a tag nor a text: ${html.slice(at, at + 80)}`);
    const [text, end, start, attributes] = found;
    if (end) {
      if (open.pop().tag !== end) throw new Error(`${text} ends <${parent.tag}>`);
    } else if (start) {
      const element = parent.appendChild(new Element(start));
      for (const [, name, value] of attributes.matchAll(/([a-z-]+)="([^"]*)"/g)) {
        element.setAttribute(name, unescaped(value));
      }
      if (raw_tags.includes(start)) {
        const first = token.lastIndex;
        token.lastIndex = html.indexOf(`</${start}`, first);
        if (token.lastIndex < first) throw new Error(`<${start}> does not end`);
        element.textContent = html.slice(first, token.lastIndex);
      }
      if (!empty_tags.includes(start)) open.push(element);
    } else if (!text.startsWith('<')) {
      parent.appendChild(unescaped(text));
    }
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1).tag}> does not end`);
  return page.children[0];
}

const [, , file, fragment = ''] = process.argv;
const root = parsed(readFileSync(file, 'utf8'));
const document = {
  documentElement: root,
  getElementById: (id) => root.find((element) => element.attributes.get('id') === id),
  createElement: (tag) => new Element(tag),
  createElementNS: (namespace, tag) => new Element(tag),
};
const script = root.find((element) => element.attributes.get('type') === 'module').textContent;
new Function('document', 'window', 'location', `'use strict'; ${script}`)(
    document, {addEventListener() {}}, {hash: fragment});
console.log(String(root));

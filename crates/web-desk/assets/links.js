// Links that were signed for the user: whoever has one can use it.
import { el, line } from "./dom.js";

/** Whether it leads to the web, and hides nothing from whoever reads it. */
function isWeb(url) {
  try {
    return line(url) === url && ["http:", "https:"].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}

/** What a request by this link needs beyond being followed: sentences. */
function needs({ method, headers, fields }) {
  return [
    ...(method ? [`The request is a ${method}.`] : []),
    ...headers.map(([name, value]) => `It must have the header ${name}: ${value}`),
    ...fields.map(([name, value]) => `It must have the form field ${name}: ${value}`),
    ...(fields.length ? ["Its last field is the file: file"] : []),
  ];
}

/** An address to be followed, without a word to its server on where from. One that is not of the web is text. */
const address = (url) => (isWeb(url) ? el("a", { href: url, target: "_blank", rel: "noreferrer" }, url) : el("code", {}, line(url)));

/** A link with what it is for. One that needs more than to be followed is text, to be copied. */
export function shared(link) {
  const more = needs(link);
  return el("div.shared", {}, el("p.note", {}, `${line(link.about)}:`), more.length ? el("code", {}, line(link.url)) : address(link.url), more.map((it) => el("p.note", {}, line(it))));
}

/** A text in which these links can be followed, and no other address. */
export function followed(text, links) {
  const urls = links.filter((link) => link.url && !needs(link).length).map((link) => link.url);
  const nodes = [];
  let rest = text;
  for (;;) {
    const found = urls.filter((url) => rest.includes(url)).sort((a, b) => rest.indexOf(a) - rest.indexOf(b) || b.length - a.length)[0];
    if (!found) return [...nodes, rest];
    const start = rest.indexOf(found);
    nodes.push(rest.slice(0, start), address(found));
    rest = rest.slice(start + found.length);
  }
}

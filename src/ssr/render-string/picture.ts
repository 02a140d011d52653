import { writeAttribute } from "./attributes.ts";
import { escapeHtml, isOwn, leaveToReact, output, write } from "./output.ts";
import type { Props } from "./react-internals.ts";

/** Props that change when and how React lets the browser load a picture. */
const loadingProps = [
  "srcSet",
  "sizes",
  "fetchPriority",
  "crossOrigin",
  "integrity",
  "referrerPolicy",
  "children",
  "dangerouslySetInnerHTML",
];

/** Writes an <img>. A link at the start of the page makes the browser load it early. */
export function writePicture(start: string, props: Props): null {
  const { src, loading } = props;
  for (const name of loadingProps) {
    if (props[name] !== undefined) leaveToReact(`an <img> with ${name}`);
  }
  if (typeof src === "string" && src !== "" && loading !== "lazy" && !/^data:/i.test(src))
    output.pictures.add(src);
  write(start);
  for (const prop in props) {
    if (!isOwn(props, prop)) continue;
    const value = props[prop];
    if (value !== null && value !== undefined) writeAttribute(prop, value);
  }
  write("/>");
  return null;
}

/** The links by which the browser starts to load the pictures, as React writes them before everything else. */
export function pictureLinks(): string {
  let links = "";
  for (const src of output.pictures) {
    if (!src.startsWith("/") && !src.startsWith("https://")) leaveToReact("a picture at an unusual address");
    links += `<link rel="preload" as="image" href="${escapeHtml(src)}"/>`;
  }
  return links;
}

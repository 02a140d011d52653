import { writeAttribute } from "./attributes.ts";
import { writeOption, writeTextarea } from "./choice-elements.ts";
import { writeButton, writeForm, writeInput } from "./form-elements.ts";
import { escapeHtml, isOwn, leaveToReact, output, write } from "./output.ts";
import { writePicture } from "./picture.ts";
import { isProps, type Props } from "./react-internals.ts";

/** How the elements of a name are written. */
type Tag = {
  start: string;
  /** Empty for elements without content. */
  end: string;
  /** How what is inside is written in another way; null: as outside. */
  inside: "options" | "svg" | "html" | null;
  /** Writes everything up to the children. @returns the children that are still to be rendered. */
  write: (tag: Tag, props: Props) => unknown;
};

const TAGS_MAX = 500;
const tags = new Map<string, Tag>();

/** Elements that React moves to the head, or that change how it writes what is inside: left to React. */
const reactsOwn = new Set(
  "html head body link script style meta base picture noscript object menuitem template".split(" "),
);
const empty = new Set("area br col embed hr keygen param source track wbr".split(" "));
/** Names with a dash that are no custom elements. */
const svgNames = new Set(
  "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name missing-glyph".split(
    " ",
  ),
);

/** The rules of an element by its name. */
export function tagOf(name: string): Tag {
  return tags.get(name) ?? addTag(name);
}

function addTag(name: string): Tag {
  if (reactsOwn.has(name) || !/^[a-zA-Z][\w:.-]*$/.test(name)) leaveToReact(`a <${name}>`);
  if (name.includes("-") && !svgNames.has(name)) leaveToReact(`the custom element <${name}>`);
  const write = writers[name] ?? (empty.has(name) ? writeEmpty : writeGeneric);
  const hasEnd = write !== writeEmpty && name !== "input" && name !== "img";
  const tag: Tag = {
    start: `<${name}`,
    end: hasEnd ? `</${name}>` : "",
    inside: insides[name] ?? null,
    write,
  };
  if (tags.size < TAGS_MAX) tags.set(name, tag);
  return tag;
}

const insides: Readonly<Record<string, Tag["inside"]>> = {
  select: "options",
  svg: "svg",
  foreignObject: "html",
  math: "html",
};

const writers: Readonly<Record<string, Tag["write"]>> = {
  a: writeLink,
  form: ({ start }, props) => within(start, writeForm, props),
  button: ({ start }, props) => within(start, writeButton, props),
  input: ({ start }, props) => writeInput(start, props),
  textarea: ({ start }, props) => writeTextarea(start, props),
  option: ({ start }, props) => within(start, writeOption, props),
  select: writeSelect,
  img: ({ start }, props) => writePicture(start, props),
  pre: writePre,
  listing: writePre,
  title: writeTitle,
};

function writeGeneric({ start }: Tag, props: Props): unknown {
  write(start);
  for (const prop in props) {
    if (prop === "children" || !isOwn(props, prop)) continue;
    const value = props[prop];
    if (value !== null && value !== undefined) writeAttribute(prop, value);
  }
  write(">");
  return writeInside(props);
}

/** An <a> keeps an empty address, which other elements drop. */
function writeLink(tag: Tag, props: Props): unknown {
  if (props["href"] === "") leaveToReact("an empty address");
  return writeGeneric(tag, props);
}

function within(start: string, write: (start: string, props: Props) => void, props: Props): unknown {
  write(start, props);
  return writeInside(props);
}

/** Writes a lone text without separators, or HTML as it is. @returns other children, which are still to be rendered. */
export function writeInside(props: Props): unknown {
  const { children } = props;
  const raw = props["dangerouslySetInnerHTML"];
  if (raw !== null && raw !== undefined) {
    if (!isProps(raw) || (children !== null && children !== undefined)) leaveToReact("HTML and children");
    const { __html: html } = raw;
    if (typeof html !== "string") leaveToReact("HTML that is no text");
    write(html);
    return null;
  }
  if (typeof children !== "string") return children;
  write(escapeHtml(children));
  return null;
}

function writeSelect({ start }: Tag, props: Props): unknown {
  if (props["dangerouslySetInnerHTML"] !== undefined) leaveToReact("a <select> that is HTML");
  write(start);
  for (const prop in props) {
    if (prop === "children" || prop === "value" || !isOwn(props, prop)) continue;
    const value = props[prop];
    if (value !== null && value !== undefined) writeAttribute(prop, value);
  }
  write(">");
  return props["children"];
}

function writeEmpty({ start }: Tag, props: Props): unknown {
  if (hasContent(props)) leaveToReact(`${start} with content`);
  write(start);
  for (const prop in props) {
    if (!isOwn(props, prop)) continue;
    const value = props[prop];
    if (value !== null && value !== undefined) writeAttribute(prop, value);
  }
  write("/>");
  return null;
}

/** A browser drops the first line break in a <pre>, so React doubles it. */
function writePre(tag: Tag, props: Props): unknown {
  const { children } = props;
  if (
    props["dangerouslySetInnerHTML"] !== undefined ||
    (typeof children === "string" && children.startsWith("\n"))
  )
    leaveToReact("a <pre> that begins with a line break or is HTML");
  return writeGeneric(tag, props);
}

/** React moves other titles than those of drawings to the head. */
function writeTitle(tag: Tag, props: Props): unknown {
  if (!output.inSvg || typeof props["children"] !== "string") leaveToReact("a <title>");
  return writeGeneric(tag, props);
}

function hasContent({ children, dangerouslySetInnerHTML: raw }: Props): boolean {
  return (children !== null && children !== undefined) || (raw !== null && raw !== undefined);
}

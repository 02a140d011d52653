/** An element as the layout library takes it: of HTML or of SVG. */
export type Element = {
  type: string;
  key: null;
  props: Record<string, unknown> & { children?: string | Element[] };
};

const scripts = ["latin", "latin-ext", "vietnamese"];
/** The files of the fonts, by which they are named. */
export const faces = ["text", "display"].flatMap((face) => scripts.map((script) => `${face}-${script}`));

/** A face as a font family: a letter comes from the first file that has it. */
export function familyOf(face: "text" | "display"): string {
  return faces.filter((file) => file.startsWith(face)).join(", ");
}

type Style = Record<string, string | number>;

export function element(type: string, props: Element["props"]): Element {
  return { type, props, key: null };
}

export function box(style: Style, children: Element[]): Element {
  return element("div", { style: { display: "flex", ...style }, children });
}

export function text(content: string, style: Style): Element {
  return element("div", { style: { display: "flex", ...style }, children: content });
}

/** A shape of the product's icons, whose box is 24 x 24. */
export function path(d: string, { size, fill }: { size: number; fill: string }): Element {
  const children = [element("path", { d, fill })];
  return element("svg", {
    width: size,
    height: size,
    viewBox: "0 0 24 24",
    style: { flexShrink: 0 },
    children,
  });
}

import { inkOn } from "#src/show/brands/contract.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import { drawCurve, PICTURE_SIZE } from "./contract.ts";
import { drawable } from "./drawable.ts";
import { box, element, type Element, familyOf, path, text } from "./elements.ts";
import type { Scene } from "./scene.ts";

const colors = {
  ground: "#eaece8",
  surface: "#ffffff",
  quiet: "#e3e6e0",
  ink: "#14171a",
  ink2: "#41474d",
  line: "#b9beb6",
  you: "#e6f53a",
  true: "#0072b3",
  false: "#b34700",
};
const MARK = "M12 2A10 10 0 0 0 12 22L22 12Z";
const SHAPES = { true: "M12 2a10 10 0 1 0 0 20a10 10 0 0 0 0-20Z", false: "M12 1L23 12L12 23L1 12Z" };
const LONG_QUESTION = 70;
const CURVE = { width: 1_042, height: 150 };
/** The space around the curve, for its line and its end. */
const CURVE_EDGE = 15;

/** Of a band with words or a logo, and of one that is only a colour. */
const HEIGHT = 72;
const PLAIN_HEIGHT = 20;
const LOGO_HEIGHT = 52;
const LOGO_WIDTH_MAX = 420;
/** Where the header of a PNG has its width and its height. */
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

/** Lays out a scene as the picture's elements. @param logo the PNG of its brand's logo; null without one. */
export function layOutScene({ brand, ...scene }: Scene, logo: Uint8Array | null): Element {
  const page = layOutPage(scene);
  return brand === undefined ? page : withBand(page, brand, logo);
}

function layOutPage(scene: Scene): Element {
  switch (scene.kind) {
    case "preview":
      return layOutPreview(scene.session);
    case "call":
      return layOutCall(scene);
    case "result":
      return layOutResult(scene);
    case "session":
      return layOutSession(scene);
    case "lines":
      return layOutLines(scene);
  }
}

function layOutPreview(session = ""): Element {
  const title = drawable(session, "");
  return page({ background: colors.ground }, [
    head(""),
    box({ flexDirection: "column", gap: 20 }, [
      text(title === "" ? "Say it before it happens." : title, {
        ...lines(2),
        ...display,
        fontSize: 84,
        lineHeight: 1.05,
      }),
      text("Live questions, two sides, play money.", { fontSize: 40, color: colors.ink2 }),
    ]),
    box({ gap: 20 }, [sidePill("true", "True"), sidePill("false", "False")]),
  ]);
}

type CallScene = Extract<Scene, { kind: "call" }>;

function layOutCall({ by, session, question, label, side, wager, clock, day }: CallScene): Element {
  return page({ background: colors.ground }, [
    head(session),
    asked(question),
    box({ alignItems: "center", gap: 28 }, [
      sidePill(side, `${drawable(label, side === "true" ? "True" : "False")}  ${wager}`),
      box({ alignItems: "center", gap: 14, padding: "18px 26px", borderRadius: 12, background: colors.you }, [
        path(MARK, { size: 36, fill: colors.ink }),
        text(`Placed ${clock}`, { ...display, fontSize: 38, lineHeight: 1 }),
      ]),
    ]),
    foot(by, day),
  ]);
}

type ResultScene = Extract<Scene, { kind: "result" }>;

const ends = {
  won: { words: "Called it", background: colors.you },
  right: { words: "Right. Nobody took the other side", background: colors.you },
  lost: { words: "It went the other way", background: colors.quiet },
  refunded: { words: "The wager is back", background: colors.ground },
};

function layOutResult(scene: ResultScene): Element {
  const { by, session, question, label, side, end, amount, note, stamp } = scene;
  const { words, background } = ends[end];
  return page({ background }, [
    head(session),
    box({ flexDirection: "column", gap: 10 }, [
      text(words, { ...display, fontSize: 48 }),
      text(amount, { ...display, fontSize: note === "" ? 168 : 140, lineHeight: 1, letterSpacing: -6 }),
      ...(note === "" ? [] : [text(drawable(note, ""), { ...display, fontSize: 44, ...lines(1) })]),
    ]),
    box({ alignItems: "center", gap: 24 }, [
      path(SHAPES[side], { size: 44, fill: colors[side] }),
      text(`${drawable(label, side === "true" ? "True" : "False")}:  ${askedText(question)}`, {
        fontSize: 36,
        lineHeight: 1.25,
        ...lines(2),
      }),
    ]),
    foot(by, stamp),
  ]);
}

type SessionScene = Extract<Scene, { kind: "session" }>;

function layOutSession({ by, session, place, net, score, best, curveCents }: SessionScene): Element {
  return page({ background: colors.ground }, [
    head(session),
    box({ justifyContent: "space-between", alignItems: "flex-end" }, [
      text(place === "" ? score : place, { ...display, fontSize: 112, lineHeight: 1, letterSpacing: -3 }),
      box({ flexDirection: "column", alignItems: "flex-end" }, [
        text(net, { ...display, fontSize: 72, lineHeight: 1.1 }),
        ...(place === "" ? [] : [text(score, { fontSize: 34, color: colors.ink2 })]),
      ]),
    ]),
    curve(curveCents),
    text(drawable(best === "" ? "" : `Best call: ${best}`, ""), {
      fontSize: 32,
      lineHeight: 1.25,
      ...lines(1),
    }),
    foot(by, ""),
  ]);
}

/** A title and a few lines below it: the records of a player, the podium of a season. */
function layOutLines({ by, aside, title, lines: said }: Extract<Scene, { kind: "lines" }>): Element {
  return page({ background: colors.ground }, [
    head(""),
    text(drawable(title, "The season"), { ...display, fontSize: 76, lineHeight: 1.1, ...lines(2) }),
    box(
      { flexDirection: "column", gap: 14, fontSize: 42, lineHeight: 1.2 },
      said.map(({ left, right }) =>
        box({ justifyContent: "space-between", gap: 40 }, [
          text(drawable(left, drawable(left.split(": ")[0] ?? "", "A season")), { ...display, ...lines(1) }),
          text(right, { ...display, flexShrink: 0 }),
        ]),
      ),
    ),
    foot(by, aside),
  ]);
}

function curve(curveCents: readonly number[]): Element {
  const { steps, zeroY, end } = drawCurve(curveCents, CURVE);
  const width = CURVE.width + 2 * CURVE_EDGE;
  const height = CURVE.height + 2 * CURVE_EDGE;
  const dot = { cx: end.x, cy: end.y, r: 12, fill: colors.you, stroke: colors.ink, "stroke-width": 3 };
  return element("svg", {
    width,
    height,
    viewBox: `${-CURVE_EDGE} ${-CURVE_EDGE} ${width} ${height}`,
    children: [
      element("path", { d: `M0 ${zeroY}H${CURVE.width}`, stroke: colors.line, "stroke-width": 2 }),
      element("path", { d: steps, fill: "none", stroke: colors.ink, "stroke-width": 7 }),
      element("circle", dot),
    ],
  });
}

const display = { fontFamily: familyOf("display"), letterSpacing: -1 };

/** Cuts a text after so many lines, with an ellipsis. */
function lines(lineClamp: number) {
  return { display: "block", lineClamp };
}

function page(style: Record<string, string>, children: Element[]): Element {
  // All of what the picture leaves for it: below it may be the band of a brand.
  const room = { width: PICTURE_SIZE.width, height: "100%", boxSizing: "border-box", padding: "52px 64px" };
  const column = { flexDirection: "column", justifyContent: "space-between" };
  return box({ ...room, ...column, fontFamily: familyOf("text"), color: colors.ink, ...style }, children);
}

function head(session: string): Element {
  return box({ alignItems: "center", justifyContent: "space-between", gap: 40 }, [
    box({ alignItems: "center", gap: 14, flexShrink: 0 }, [
      path(MARK, { size: 48, fill: colors.ink }),
      text("Called It", { ...display, fontSize: 42, lineHeight: 1 }),
    ]),
    text(drawable(session, ""), { fontSize: 30, color: colors.ink2, ...lines(1) }),
  ]);
}

function foot(by: string, aside: string): Element {
  return box({ justifyContent: "space-between", alignItems: "center", fontSize: 32 }, [
    text(drawable(by, "A player"), { ...display, fontSize: 36 }),
    text(aside, { color: colors.ink2 }),
  ]);
}

function asked(question: string): Element {
  const shown = askedText(question);
  const fontSize = shown.length > LONG_QUESTION ? 52 : 68;
  return text(shown, { ...display, fontSize, lineHeight: 1.12, ...lines(4) });
}

/** The question, or where to read one whose letters the picture's fonts do not have. */
function askedText(question: string): string {
  return drawable(question, "Open the link to read the question.");
}

/** Round for True, pointed for False: the halves of the mark. */
function sidePill(side: "true" | "false", words: string): Element {
  const radius = side === "true" ? "60px 12px 12px 60px" : "12px";
  return box(
    {
      alignItems: "center",
      gap: 18,
      height: 92,
      padding: "0 36px 0 32px",
      borderRadius: radius,
      background: colors[side],
      color: colors.surface,
    },
    [
      path(SHAPES[side], { size: 34, fill: colors.surface }),
      text(words, { ...display, fontSize: 42, lineHeight: 1 }),
    ],
  );
}

/** A picture with the brand of its session at its lower edge: the logo and the sponsor's line on the accent. */
function withBand(page: Element, { accent, sponsor = "" }: Brand, logo: Uint8Array | null): Element {
  const line = drawable(sponsor, "");
  const height = line === "" && logo === null ? PLAIN_HEIGHT : HEIGHT;
  const { width } = PICTURE_SIZE;
  const band = box(
    {
      alignItems: "center",
      gap: 24,
      boxSizing: "border-box",
      padding: "0 64px",
      fontFamily: familyOf("text"),
      width,
      height,
      ...colorsOf(accent),
    },
    [
      ...(logo === null ? [] : [picture(logo)]),
      ...(line === "" ? [] : [text(line, { fontSize: 32, display: "block", lineClamp: 1 })]),
    ],
  );
  const above = box({ width, height: PICTURE_SIZE.height - height }, [page]);
  return box({ ...PICTURE_SIZE, flexDirection: "column" }, [above, band]);
}

function colorsOf(accent: string | undefined) {
  return accent === undefined
    ? { background: "#ffffff", color: "#14171a" }
    : { background: accent, color: inkOn(accent) };
}

function picture(png: Uint8Array): Element {
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const ratio = header.getUint32(WIDTH_AT) / header.getUint32(HEIGHT_AT);
  const width = Math.min(LOGO_WIDTH_MAX, Math.round(LOGO_HEIGHT * ratio));
  const height = Math.min(LOGO_HEIGHT, Math.round(LOGO_WIDTH_MAX / ratio));
  return element("img", {
    src: `data:image/png;base64,${Buffer.from(png).toString("base64")}`,
    width,
    height,
    style: { flexShrink: 0 },
  });
}

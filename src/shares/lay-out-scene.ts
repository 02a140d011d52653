import * as v from "valibot";
import { formatChange, formatMoney } from "#src/http/contract.ts";
import type { ShownSeason } from "#src/play/seasons/schemas.ts";
import { site } from "#src/settings/contract.ts";
import { inkOn } from "#src/show/brands/contract.ts";
import type { Brand } from "#src/show/brands/schemas.ts";
import { sessionSettings } from "#src/show/sessions/schemas.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { DEFAULT_ZONE, drawCurve, PICTURE_SIZE } from "./contract.ts";
import { box, element, type Element, familyOf, path, text } from "./elements.ts";
import type { SharedView } from "./schemas.ts";
import { endOf, formatDay, formatStamp, type Line, rankText, recordLines, storyOf } from "./words-for.ts";

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
const display = { fontFamily: familyOf("display"), letterSpacing: -1 };
const MARK = "M12 2A10 10 0 0 0 12 22L22 12Z";
/** What the faces of the pictures have: client/build/fonts.ts chooses their letters. */
const MISSING =
  /[^\u0020-\u007e\u00a0-\u024f\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122\u2190-\u2193\u2212\u2264\u2265]/u;
/** Emoji, with what joins and colours them. A flag is not among them: it is a name. */
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f|\u20e3/gu;
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

/** A picture: its elements, and the brand of its session, left out without one. Equal scenes are one picture. */
export type Scene = { page: Element; brand?: Brand | undefined };

/** The picture of all pages that have none of their own. */
export const previewScene = (): Scene => branded(layOutPreview(), undefined);

/** An accent of the site is that of all sessions without their own. */
function branded(page: Element, brand: Brand | undefined): Scene {
  const accent = brand?.accent ?? site().accent?.color;
  return brand === undefined && accent === undefined ? { page } : { page, brand: { ...brand, accent } };
}

export function previewOf({ name, settings }: Pick<SessionRow, "name" | "settings">): Scene {
  const { brand } = v.parse(sessionSettings, settings);
  return brand === undefined ? previewScene() : branded(layOutPreview(name), brand);
}

export function sceneOf(shared: SharedView): Scene {
  return branded(layOutShared(shared), shared.brand);
}

function layOutShared(shared: SharedView): Element {
  const { call, summary, records, username: by, timeZone } = shared;
  if (records !== null)
    return layOutLines({ by, aside: "", title: "Records", said: recordLines(records, timeZone) });
  if (summary !== null) return layOutSession(shared, summary);
  if (call === null) return layOutPreview();
  return call.outcome === null ? layOutCall(shared, call) : layOutResult(shared, call);
}

const PODIUM_LINES = 3;

/** The picture of a season: its podium when it has ended, else its dates. Everybody sees the same, so days are those of UTC. */
export function seasonScene({
  name,
  startsAt,
  endsAt,
  podium,
  playersCount,
  correctedAt,
}: ShownSeason): Scene {
  const last = new Date(Date.parse(endsAt) - 1).toISOString();
  const [from, until] = [startsAt, last].map((at) => formatDay(at, DEFAULT_ZONE));
  const said = podium.slice(0, PODIUM_LINES).map((place) => ({
    left: `${rankText(place)}  ${drawable(place.username, "A player")}`,
    right: formatChange(place.netCents),
  }));
  const players = `${playersCount} ${playersCount === 1 ? "player" : "players"}`;
  const corrected = correctedAt == null ? "" : `, corrected ${formatDay(correctedAt, DEFAULT_ZONE)}`;
  const aside = `${from} to ${until}, ${DEFAULT_ZONE}`;
  return branded(layOutLines({ by: `${players}${corrected}`, aside, title: name, said }), undefined);
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

type Call = NonNullable<SharedView["call"]>;

function layOutCall({ username, sessionName, timeZone }: SharedView, call: Call): Element {
  const { clock, day } = formatStamp(call.placedAt, timeZone);
  return page({ background: colors.ground }, [
    head(sessionName ?? ""),
    asked(call.title),
    box({ alignItems: "center", gap: 28 }, [
      sidePill(call.side, `${labelOf(call)}  ${formatMoney(call.wagerCents)}`),
      box({ alignItems: "center", gap: 14, padding: "18px 26px", borderRadius: 12, background: colors.you }, [
        path(MARK, { size: 36, fill: colors.ink }),
        text(`Placed ${clock}`, { ...display, fontSize: 38, lineHeight: 1 }),
      ]),
    ]),
    foot(username, day),
  ]);
}

const labelOf = ({ label, side }: Call) => drawable(label, side === "true" ? "True" : "False");

const ends = {
  won: { words: "Called it", background: colors.you },
  right: { words: "Right. Nobody took the other side", background: colors.you },
  lost: { words: "It went the other way", background: colors.quiet },
  refunded: { words: "The wager is back", background: colors.ground },
};

function layOutResult({ username, sessionName, timeZone }: SharedView, call: Call): Element {
  const { title, side, outcome, wagerCents, netCents, placedAt, corrected } = call;
  const { words, background } = ends[endOf(call)];
  const { clock, day } = formatStamp(placedAt, timeZone);
  const amount = outcome === "refunded" ? `${formatMoney(wagerCents)} back` : formatChange(netCents ?? 0);
  const note = [storyOf(username, call), corrected ? "The result was corrected." : ""].join(" ").trim();
  return page({ background }, [
    head(sessionName ?? ""),
    box({ flexDirection: "column", gap: 10 }, [
      text(words, { ...display, fontSize: 48 }),
      text(amount, { ...display, fontSize: note === "" ? 168 : 140, lineHeight: 1, letterSpacing: -6 }),
      ...(note === "" ? [] : [text(drawable(note, ""), { ...display, fontSize: 44, ...lines(1) })]),
    ]),
    box({ alignItems: "center", gap: 24 }, [
      path(SHAPES[side], { size: 44, fill: colors[side] }),
      text(`${labelOf(call)}:  ${askedText(title)}`, { fontSize: 36, lineHeight: 1.25, ...lines(2) }),
    ]),
    foot(username, `Placed ${clock}, ${day}`),
  ]);
}

type Summary = NonNullable<SharedView["summary"]>;

function layOutSession({ username, sessionName }: SharedView, summary: Summary): Element {
  const { rank, tied, playersCount, wins, losses, netCents, best, curve: points } = summary;
  const place = rank === null ? "" : `${rankText({ rank, tied })} of ${playersCount}`;
  const score = `${wins} won, ${losses} lost`;
  const bestCall = best === null ? "" : `Best call: ${formatChange(best.netCents)}  ${best.title}`;
  return page({ background: colors.ground }, [
    head(sessionName ?? ""),
    box({ justifyContent: "space-between", alignItems: "flex-end" }, [
      text(place === "" ? score : place, { ...display, fontSize: 112, lineHeight: 1, letterSpacing: -3 }),
      box({ flexDirection: "column", alignItems: "flex-end" }, [
        text(formatChange(netCents), { ...display, fontSize: 72, lineHeight: 1.1 }),
        ...(place === "" ? [] : [text(score, { fontSize: 34, color: colors.ink2 })]),
      ]),
    ]),
    curve(points.map((point) => point.netCents)),
    text(drawable(bestCall, ""), { fontSize: 32, lineHeight: 1.25, ...lines(1) }),
    foot(username, ""),
  ]);
}

type TitledLines = { by: string; aside: string; title: string; said: readonly Line[] };

/** A title and a few lines below it: the records of a player, the podium of a season. */
function layOutLines({ by, aside, title, said }: TitledLines): Element {
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
      ...(site().logo === null ? [path(MARK, { size: 48, fill: colors.ink })] : []),
      text(drawable(site().name, ""), { ...display, fontSize: 42, lineHeight: 1 }),
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

/** All elements of a picture: at its lower edge its brand, the logo and the sponsor's line on the accent. @param logo as PNG; null without one. */
export function withBand({ page, brand }: Scene, logo: Uint8Array | null): Element {
  if (brand === undefined) return page;
  const { accent, sponsor = "" } = brand;
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

/**
 * A text as the pictures' fonts draw it: without emoji, which they lack.
 * @param instead for a text with any other letter or sign that they lack: without it, a question would be another one.
 */
export function drawable(text: string, instead: string): string {
  const kept = text
    .normalize("NFC")
    .replaceAll(PICTURE, (sign) => (isMissing(sign) ? "" : sign))
    .replaceAll(/\s+/g, " ")
    .trim();
  return kept === "" || isMissing(kept) ? instead : kept;
}

const isMissing = (text: string) => text.search(MISSING) >= 0;

import { expect, test } from "bun:test";
import { drawCurve, sumUpCalls } from "#src/shares/contract.ts";
import { drawPicture, fileOf } from "#src/shares/draw-picture.ts";
import { drawable, previewOf, type Scene } from "#src/shares/lay-out-scene.ts";

/** The preview of a session with a sponsor. */
const scene = (name: string): Scene =>
  previewOf({ name, settings: { brand: { sponsor: name || "Nobody" } } });

test("equal scenes are one picture, drawn once", async () => {
  const [one, other] = await Promise.all([drawPicture(scene("One?")), drawPicture(scene("One?"))]);
  expect(other).toBe(one);
  expect(await drawPicture(scene("One?"))).toBe(one);
  expect(fileOf(scene("One?"))).not.toBe(fileOf(scene("Another?")));
});

test("hostile texts are drawn as texts", async () => {
  for (const text of ["<svg onload=alert(1)>", "\u202eright to left", "x".repeat(2_000), "", "🎲🎲🎲"]) {
    const picture = await drawPicture(scene(text));
    expect(picture.byteLength).toBeGreaterThan(1_000);
  }
}, 180_000);

test("a text for a picture keeps the letters of Europe and Vietnam, and loses emoji", () => {
  expect(drawable("Žižkov gegen Đặng 🎲, 5 € → ja?", "-")).toBe("Žižkov gegen Đặng , 5 € → ja?");
  expect(drawable("Family 👨‍👩‍👧 or 👋🏽 1️⃣ ❤️?", "-")).toBe("Family or 1 ?");
});

test.each([
  "Пойдёт ли дождь?",
  "🎲",
  "Real Madrid beats ЦСКА by more than 3⅓ goals?",
  "₹500 yes",
  "Is H₂O wet?",
  "2≠2",
  "Is π below 3.15?",
  "Does 🇫🇷 beat 🇩🇪?",
  "هل يفوز الفريق؟",
  "雨が降る?",
])("a text for a picture is replaced where a letter or a sign would be missing: %s", (text) => {
  expect(drawable(text, "See the link")).toBe("See the link");
});

const call = { eventTitle: "Rain?", label: "True", outcome: "won", refundedBy: null };

test("a session in numbers is summed up by event, in the order of the calls", () => {
  const calls = [
    { ...call, eventId: 1, netCents: 300 },
    { ...call, eventId: 2, netCents: -500, outcome: "lost" },
    { ...call, eventId: 1, netCents: -100, outcome: "lost" },
    { ...call, eventId: 3, netCents: 900, eventTitle: "Snow?" },
    { ...call, eventId: 4, netCents: null, outcome: null },
    { ...call, eventId: 5, netCents: 0, outcome: "refunded", refundedBy: "skip" },
  ];
  expect(sumUpCalls(calls)).toEqual({
    netCents: 600,
    wins: 2,
    losses: 1,
    curveCents: [200, -300, 600],
    best: { title: "Snow?", label: "True", netCents: 900 },
  });
});

test("a session in numbers has no best call where nothing was won", () => {
  expect(sumUpCalls([{ ...call, eventId: 1, netCents: -100, outcome: "lost" }]).best).toBeNull();
  expect(sumUpCalls([])).toMatchObject({ netCents: 0, curveCents: [] });
});

test("a session in numbers is drawn as steps from zero", () => {
  expect(drawCurve([100, -100], { width: 100, height: 40 })).toEqual({
    steps: "M0 20V0H50V40H100",
    zeroY: 20,
    end: { x: 100, y: 40 },
  });
  expect(drawCurve([0], { width: 100, height: 40 })).toMatchObject({ steps: "M0 20V20H100", zeroY: 20 });
});

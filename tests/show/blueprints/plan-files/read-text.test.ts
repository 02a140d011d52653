import { expect, test } from "bun:test";
import { read } from "./read-file.ts";

/** A text in an encoding: what of two bytes at most is decoded to each of its letters. */
function encode(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const byLetter = new Map<string, number[]>();
  const learn = (...bytes: number[]) => {
    try {
      const letter = decoder.decode(new Uint8Array(bytes));
      if (!byLetter.has(letter)) byLetter.set(letter, bytes);
    } catch {
      // These bytes are no letter.
    }
  };
  for (let first = 0; first < 256; first += 1) learn(first);
  if (/[\u3000-\uFFFF]/.test(text))
    for (let first = 0x81; first < 0xff; first += 1)
      for (let second = 0x40; second < 0xff; second += 1) learn(first, second);
  return new Uint8Array(Array.from(text).flatMap((letter) => byLetter.get(letter) ?? [0x3f]));
}

test.each([
  ["ru-RU,ru;q=0.9,en;q=0.8", "windows-1251", "Выиграет ли Спартак первый тайм?"],
  ["en-US,en;q=0.9,uk;q=0.5", "windows-1251", "Чи піде дощ завтра?"],
  ["pl", "windows-1250", "Czy Żółw wygra pierwszą połowę?"],
  ["cs,en;q=0.5", "windows-1250", "Vyhraje příště Škoda?"],
  ["el", "windows-1253", "Θα βρέξει αύριο;"],
  ["tr", "windows-1254", "Yağmur yağacak mı? Şimdi başlıyor"],
  ["he-IL", "windows-1255", "האם ירד גשם מחר?"],
  ["ar", "windows-1256", "هل تمطر غدا؟"],
  ["lt", "windows-1257", "Ar lis lietus šiąnakt? Žaidėjas įveiks?"],
  ["th", "windows-874", "ฝนจะตกไหม"],
  ["ja,en;q=0.5", "shift_jis", "明日は雨が降りますか？"],
  ["ko-KR", "euc-kr", "내일 비가 올까요?"],
  ["zh-CN", "gb18030", "明天会下雨吗？"],
  ["zh-TW,zh;q=0.9", "big5", "明天會下雨嗎？"],
  ["de", "windows-1252", "Gewinnt Müller? Größer als 5 €? Köln, Käse, Übung"],
  ["de-DE,de;q=0.9,en;q=0.8", "macintosh", "Gewinnt Müller?"],
  ["de", "macintosh", "Kommt König aus Köln?"],
  ["en", "macintosh", "Is the café’s crème brûlée gone?"],
  ["fr", "macintosh", "Est-ce que l’été commence à Évian ?"],
  ["fr", "windows-1252", "Est-ce que l’été commence à Évian ?"],
  ["es", "windows-1252", "¿Lloverá mañana en España?"],
  ["es", "macintosh", "¿Lloverá mañana en España?"],
])("a browser in %s finds that a file is in %s: %s", async (languages, encoding, text) => {
  const file = await read(encode(text, encoding), { languages });
  expect([file.readAs, file.text]).toEqual([encoding, text]);
  expect(file.choices.map(({ value }) => value)).toContain(encoding);
});

test("another encoding can be chosen where the guess is wrong, and an unknown one is not taken", async () => {
  const bytes = encode("Выиграет ли Спартак?", "windows-1251");
  expect((await read(bytes, { languages: "de" })).text).not.toContain("Спартак");
  expect((await read(bytes, { languages: "de", readAs: "windows-1251" })).text).toBe("Выиграет ли Спартак?");
  expect((await read(bytes, { languages: "ru", readAs: "x-user-defined" })).readAs).toBe("windows-1251");
});

test("UTF-8 and UTF-16 need no choice, with and without a mark", async () => {
  const text = "größer als 日本?";
  const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from("a plain text?", "utf16le"),
  ]) {
    const { text: decoded, choices, kind } = await read(bytes, { languages: "ja" });
    expect([decoded.endsWith("?"), decoded.includes("\uFFFD"), choices, kind]).toEqual([
      true,
      false,
      [],
      "letters",
    ]);
  }
});

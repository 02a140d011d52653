import { expect, test } from "bun:test";
import { demoLines } from "#db/seeds/chat.ts";
import { Refusal } from "#src/base/refusal.ts";
import { refuseUnfitText } from "#src/play/chat/create-message.ts";

/** "word" or "link" with the text to remove; null if the text is fine. */
function unfit(body: string): string[] | null {
  try {
    refuseUnfitText(body, { links: "refused" });
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [error.code, error.details.detail ?? ""];
  }
}

test.each([
  ["as it is", "what the fuck", "fuck"],
  ["in capitals, stretched", "FUUUUCK this", "FUUUUCK"],
  ["with numbers and signs", "total sh!t, 5h1t", "sh!t"],
  ["in letters of other scripts", "fυck and ｆｕｃｋ", "fυck"],
  ["spelled out", "well f u c k that", "f u c k"],
  ["with dots", "f.u.c.k", "f.u.c.k"],
  ["with a letter that is not seen", "fu\u200dck", "fu\u200dck"],
  ["with a stroke for a letter", "s|ut and s1ut", "s|ut"],
  ["divided", "oh sh_it", "sh_it"],
  ["as a name that is none", "you Dick", "Dick"],
])("a bad word is refused %s", (_, body, without) => {
  expect(unfit(body)).toEqual(["word", `Say it without "${without}".`]);
});

const unseen =
  "\u200b \u200c \u200d \u2060 \u2063 \u00ad \u034f \u061c \u115f \u1160 \u17b4 \u180b \u180e \u2800 \u3164 \ufe0f \ufeff \uffa0 \u{e0041} \u{e0101} \u0301 \u0336 \ufffc";
const alphabets =
  "𝐟𝐮𝐜𝐤 𝑓𝑢𝑐𝑘 𝒇𝒖𝒄𝒌 𝒻𝓊𝒸𝓀 𝓯𝓾𝓬𝓴 𝔣𝔲𝔠𝔨 𝕗𝕦𝕔𝕜 𝖋𝖚𝖈𝖐 𝖿𝗎𝖼𝗄 𝗳𝘂𝗰𝗸 𝘧𝘶𝘤𝘬 𝙛𝙪𝙘𝙠 𝚏𝚞𝚌𝚔 ⓕⓤⓒⓚ ⒡⒰⒞⒦ 🄵🅄🄲🄺 🅵🅤🅲🅺 🅕🅤🅒🅚 🇫🇺🇨🇰 ꜰᴜᴄᴋ ᶠᵘᶜᵏ ｆｕｃｋ f̶u̶c̶k̶ fü¢k";
const alike = "fцck ƒuck fսck сunt сυnт ⲥunt ѕhіt shӏt sh׀t шhore niɡɡer ꓝꓴꓚꓗ Ϝuck sӏut ɟuck";
test.each([
  ...unseen.split(" ").flatMap((letter) => [`f${letter}uck`, `fuc${letter}k`]),
  ...alphabets.split(" "),
  ...alike.split(" "),
  ..."f,u,c,k f/u/c/k f·u·c·k f-u-c-k sh.it sh-it".split(" "),
])("a bad word is refused however it is disguised: %j", (body) => {
  expect(unfit(body)).toEqual(["word", `Say it without "${body}".`]);
});

test.each([
  ["https://example.com", "https://example.com"],
  ["go to www.example.org/x now", "www.example.org/x"],
  ["example.com", "example.com"],
  ["win big at lucky.bet", "lucky.bet"],
  ["write me@example.com", "me@example.com"],
  ["//example.com", "//example.com"],
  ["bit.ly/3xYz", "bit.ly/3xYz"],
  ["discord.gg/abc", "discord.gg/abc"],
  ["see http://yes.no", "http://yes.no"],
  ["www.yes.no", "www.yes.no"],
  ["http://3.2.1.0", "http://3.2.1.0"],
  ["EXAMPLE.COM", "EXAMPLE.COM"],
  ["bbc.co.uk", "bbc.co.uk"],
  ["exam\u200dple.com", "exam\u200dple.com"],
  ["ｅｘａｍｐｌｅ．ｃｏｍ", "ｅｘａｍｐｌｅ．ｃｏｍ"],
  ["ехаmple.com", "ехаmple.com"],
  ["example。com", "example。com"],
  ["booking.com has it", "booking.com"],
  ["Booking.com/deal", "Booking.com/deal"],
  ["https://Booking.com", "https://Booking.com"],
  ["www.Booking.com", "www.Booking.com"],
  ["Free-Money.com", "Free-Money.com"],
  ["Free.Money.com", "Free.Money.com"],
  ["Lucky.bet", "Lucky.bet"],
  ["Casino.xyz", "Casino.xyz"],
  ["Вooking.com", "Вooking.com"],
])("a link is refused in %p", (body, without) => {
  expect(unfit(body)).toEqual(["link", `Say it without "${without}".`]);
});

test.each([
  ...demoLines,
  "Scunthorpe class assassins, Essex analysis",
  "the view from the cockpit",
  "I called True, 3.5 to 1, at 20:14:03.4",
  "a b c d e f g",
  "No. Yes! Maybe... 2-1?",
  "1.84x on a $5 call",
  "ÜÄÖ, 日本語, 👩‍👩‍👧 🎉",
  "می‌خواهم ببینم",
  "Россия, вперёд! Γειά σου",
  ..."wow.me too|yes.no|3.2.1.0|No.It is|check.it out|go.to bed|nice.live now|I win.my friend|St.Pauli|Node.js".split(
    "|",
  ),
  ..."Moby Dick|moby dick|Dick Van Dyke|Dick Fosbury jumps|Philip K. Dick|Dickens and Dickinson|Tom, Dick and Harry".split(
    "|",
  ),
  ..."Penistone, Sussex, Cockermouth, Cockburn|Arsène Wenger of Arsenal|Wankhede Stadium|Fukushima|shiitake".split(
    "|",
  ),
  ..."a great tit, a cock crows|trafficking|an assortment|annals|Harshit Rana|Caster Semenya|the hooker of Wales".split(
    "|",
  ),
  ..."Sex and the City|Pussy Riot|pussycat|chink in the armour|Benedict Cumberbatch eats cumin|scat singing".split(
    "|",
  ),
  "push_it, an_alien, pass-it",
  ..."Room 455|Team_455 leads|4 5 5 in a row|455, 8008 and 5318008".split("|"),
  ..."ASP.net|ASP.NET|VB.NET is older|I work at Booking.com.|Booking.com again?|Socket.io, Next.js and Vue.js".split(
    "|",
  ),
  ..."Amazon.com shares|the Dot.com bubble|Will Monday.com win?".split("|"),
])("nothing is wrong with %p", (body) => {
  expect(unfit(body)).toBeNull();
});

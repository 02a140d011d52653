const FIRST_VISIT =
  "Each of these pages is measured as a first visit: it carries and compresses the styles, which are most of its bytes (190 us on the Action page), and bare React compresses nothing. The smaller the page, the larger is that share.";
const FOLLOWS = "It follows the pages a second: 32 connections in a closed loop wait for each other.";

/** Where the time goes, for goals that are not met: `bench: what`, and what a profile shows. */
export const reasons: Readonly<Record<string, string>> = {
  "page: pages to bare React":
    "A first visit takes the web process 1,342 us where bare React takes 984: more than half of what it compresses are the styles, and bare React compresses nothing. A browser that has been here before has the styles: 1,153 us, 0.88 x.",
  "page: p99": FOLLOWS,
  "api: 1 client, to the statement":
    "One call takes 1.3 ms: the statement 0.8, of which 0.2 waits for the disk; the rest is HTTP, the checks of a request, and the answer.",
  "api: 1 client, to two trips":
    "As to the statement; it swings between 0.86 x and 1.38 x with the speed of the disk.",
  "api: 64 clients, p99": "At its goal: 22 to 25 ms from run to run.",
  "api: 256 clients, p99":
    "256 clients in a closed loop wait for each other: 8,000 calls a second are 32 ms on average. A lower p99 needs a third core.",
  "timers: 2,000 closes within 1 s, p99":
    "A close of a batch takes Postgres 0.17 ms and the worker's thread 0.2 ms, nearly half of it for BullMQ's job. The relay of each close, Redis and the bench share the two cores with them. It follows the speed of the machine: 48 ms in an hour in which BullMQ doing nothing took 10, and 130 in one in which it took 19.",
  "timers: idle: 40 closes within 4 s, p99":
    "A close alone takes its lock in Redis (0.5 ms), then one trip that closes and commits (2 to 3 ms); a connection that was idle is half as fast as a busy one.",
  "timers: 100 results at once, the latest":
    "All 100 are decided in one transaction, whose statements write the rows of all; the rows of events, with their triggers, are written one by one.",
  "timers: 200 closes within 1 s, with calls, p99":
    "Calls hold the event's gate while their batch commits, and the close waits for it; then as with 2,000 closes.",
  "cable: connects, beside bare Bun":
    "A connect costs 85 to 120 us of the server; bare Bun's upgrade 22. The look-up of the sign-in, its cookie, two subscriptions and two answers are the difference; in the profile nothing but the upgrade itself (13 %) and sending (9) is above 5 %.",
  "cable: p99 of messages of 64 bytes, beside bare Bun":
    "It was 0.98 x and 1.42 x in two runs of the same code within 35 minutes: the two cores are shared by both servers, Redis and the clients, and the slowest of a hundred messages is whichever waits for a core.",
  "cable: p99 of messages of 1024 bytes, beside bare Bun":
    "As with 64 bytes: 0.91 x in another run of the same day.",
  "cable: all players back, as pages do":
    "At its goal: the second in which they come is part of it, and a connect costs the server what it says above.",
  "cable: p99 of pages meanwhile":
    "Players who come back within a second fill the process that serves pages too: a page waits for the handshakes before it. About 60 pages are asked for, so the p99 is the slowest: 88 and 97 ms in a run of this part alone, 209 and 298 after the others. With two web processes half of the players are elsewhere. Handing out the looked-up sign-ins and offsets 32 at a turn changed nothing.",
  "browser: live to bare React":
    "The scripts are 81 KB more than bare React's, 0.45 s of the line, and a page is live 0.51 s later: 28 KB are the router, 46 the page's own, 3 Action Cable. No library is cut for it. The cable is among the first scripts on purpose: later it would save 5 KB and cost a player half a second until the page hears of an opening.",
  "browser: requests":
    "The document, four scripts, the styles of high contrast, and the font. Scripts are split where screens share them; joined, a page would carry the code of others.",
  "browser: bytes":
    "138 KB of them are the scripts; see there. The rest is the document with its styles, and the font.",
  "browser: scripts":
    "React and the router are 87 KB as they are published, Action Cable 3, and the page's own code 46. For 115 KB the own code would have to be 25; most of it is the card, the placing of calls and what keeps a page live. What could still come late is some 7 KB, and each part of it has its price: the menu and the notifications (1.7) would be dead for a moment when opened, the rail (1.2) and a result (0.9) would wait for a request, the requests of a call (0.8) would not be there at the first press, and other pages' routes (2) and forms (0.5) would not be known offline. Smaller shared chunks save 1 KB and cost the sign-in page a request.",
  "pages: sessions to bare React": FIRST_VISIT,
  "pages: sessions: p99": FOLLOWS,
  "pages: history to bare React": FIRST_VISIT,
  "pages: history: p99": FOLLOWS,
  "pages: wallet to bare React": FIRST_VISIT,
  "pages: wallet: p99": FOLLOWS,
  "pages: admin room to bare React":
    "It takes the web process 3,468 us and Postgres 893: the run of show, the stage, health and the audit have reads of their own, and bare React makes two queries.",
  "pages: admin room: p99": FOLLOWS,
  "settle: settling with 10,000 calls, to plain SQL":
    "A call costs plain SQL 51 us, and 84 here without other load: deciding writes a line (9), paying it resolves the call, locks and proves the wallet and writes its entry (46), results and scores with their log (24), the commit of each part and what is between two parts (5). The bench's calls and the pauses between parts are the rest. The least of 2.0 x is met; without the bench's calls it is 1.4 to 1.9 x, 1.6 in the middle.",
  "settle: settling with 100,000 calls, to plain SQL":
    "As with 10,000 calls; from run to run between 1.3 and 1.6 x.",
  "settle: the longest call with 10,000 calls":
    "A part is paid for about 40 ms, and its commit waits for the disk. A call that needs one of its wallets waits for both, at worst twice: 71 ms in a fast hour of the machine, 140 in a slow one.",
  "settle: the longest call with 100,000 calls":
    "One call of thousands: 55, 59, 89 and 535 ms in four runs of the same code. The 99th of a hundred waits 15 to 19 ms.",
  "settle: p99 of a call with 10,000 calls":
    "One call in twenty needs a wallet of the part that is being paid, and waits until that commits: about 40 ms.",
};

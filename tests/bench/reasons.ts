/** Where the time goes, for goals that are not met: `bench: what`, and what a profile shows. */
export const reasons: Readonly<Record<string, string>> = {
  "page: pages to bare React":
    "The web process is busy 95 % of the time with 440 us a page: rendering 100, compression and UTF-8 90, the data 60, the data that the browser hydrates from 40, the request and its promises the rest. 2.5 x would be 3,600 pages a second; the client and Postgres need 400 us of the two cores for each page too.",
  "api: 1 client, to the statement":
    "One call takes 1.3 ms: the statement 0.8, of which 0.2 waits for the disk; the rest is HTTP, the checks of a request, and the answer.",
  "api: 1 client, to two trips":
    "As to the statement; it swings between 0.86 x and 1.38 x with the speed of the disk.",
  "api: 256 clients, p99":
    "256 clients in a closed loop wait for each other: 8,000 calls a second are 32 ms on average. 40 ms at p99 need a third core.",
  "timers: 2,000 closes within 1 s, p99":
    "Half of a close's time in Postgres is the update of its row with the entry of the session log, which is written row by row; BullMQ's job and the relay of each close share the two cores.",
  "timers: idle: 40 closes within 4 s, p99":
    "A close alone takes its lock in Redis, then one trip that closes and commits.",
  "timers: 100 results at once, the latest":
    "All 100 are decided in one transaction: about 1 ms each in Postgres, of which a third writes the lines and a third the journal and the settlement.",
  "timers: 200 closes within 1 s, with calls, p99":
    "Calls hold the event's gate while their batch commits, and the close waits for it; then as with 2,000 closes.",
  "cable: connects, beside bare Bun":
    "A connect costs 95 to 120 us of the server; bare Bun's upgrade 18. The look-up of the sign-in, its cookie, two subscriptions and two answers are the difference.",
  "cable: p99 of pages meanwhile":
    "Players who come back within a second fill the process that serves pages too: a page waits for the handshakes before it. With two web processes half of them are elsewhere.",
  "browser: live to bare React":
    "The scripts are there after 1.85 s of 2.05: they are 35 KB more than bare React's, 0.2 s of the line, and the other styles share it with them. Then the modules run for 55 ms, the router starts in 30, and hydration takes 115, in slices, with 40 for styles and effects.",
  "settle: settling with 10,000 calls, to plain SQL":
    "Plain SQL writes the same rows. The rest: deciding writes a line per call (10 %), the proofs of payouts and balances, reading and locking what is paid, and the cost of each part of 40 ms.",
  "settle: settling with 100,000 calls, to plain SQL": "As with 10,000 calls.",
  "settle: p99 of a call with 10,000 calls":
    "One call in twenty needs a wallet of the part that is being paid, and waits until that commits: about 40 ms.",
};

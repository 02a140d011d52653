/** What the names of journeys begin with that play a show: those that a network or several machines could change. */
export const showJourneys = [
  "big-screen",
  "phone-sheets",
  "guest",
  "play-a-session",
  "play-in-teams",
  "presses/",
  "private-show",
  "run-the-show",
  "stream-delay",
  "two-devices",
  "two-hosts",
  "waiting-room",
].map((name) => `browser/${name}`);

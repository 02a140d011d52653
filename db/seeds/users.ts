export const DEMO_PASSWORD = "called-it-demo";

export type DemoUser = { email: string; username: string; roles: ("admin" | "operator")[] };

export const demoUsers: readonly DemoUser[] = [
  { email: "admin@example.test", username: "robin_hosts", roles: ["admin"] },
  { email: "operator@example.test", username: "olga_watches", roles: ["operator"] },
  { email: "ana@example.test", username: "ana", roles: [] },
  { email: "ben@example.test", username: "ben", roles: [] },
  { email: "cleo@example.test", username: "cleo", roles: [] },
];

/** Of them, the one who has paid in. */
export const demoPayer = "cleo";

/** The playing style of a robot. Chances are from 0 to 1. */
export type DemoRobot = {
  username: string;
  keenness: number;
  /** The chance that it takes the side with the smaller pool. */
  contrarian: number;
  /** The highest wager of one call. */
  wagerMaxDollars: number;
};

/** The robots of the demo: players that place calls automatically. Their names are of eight scripts. */
export const demoRobots: readonly DemoRobot[] = [
  { username: "kestrel", keenness: 0.9, contrarian: 0.3, wagerMaxDollars: 10 },
  { username: "lucky_lena", keenness: 0.95, contrarian: 0.5, wagerMaxDollars: 5 },
  { username: "Ελένη", keenness: 0.6, contrarian: 0.9, wagerMaxDollars: 10 },
  { username: "Олена", keenness: 0.7, contrarian: 0.4, wagerMaxDollars: 3 },
  { username: "נועה", keenness: 0.8, contrarian: 0.6, wagerMaxDollars: 4 },
  { username: "علي", keenness: 0.85, contrarian: 0.2, wagerMaxDollars: 6 },
  { username: "Anna O'Brien", keenness: 0.5, contrarian: 0.5, wagerMaxDollars: 10 },
  { username: "quiet_storm", keenness: 0.45, contrarian: 0.8, wagerMaxDollars: 8 },
  { username: "आशा", keenness: 0.75, contrarian: 0.3, wagerMaxDollars: 2 },
  { username: "李雷", keenness: 0.65, contrarian: 0.4, wagerMaxDollars: 5 },
  { username: "さくら", keenness: 0.8, contrarian: 0.5, wagerMaxDollars: 1 },
  { username: "Zoë", keenness: 0.55, contrarian: 0.7, wagerMaxDollars: 7 },
];

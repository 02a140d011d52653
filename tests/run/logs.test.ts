import { expect, test } from "bun:test";

const AT = 1_795_984_362_951;
const web = { _SYSTEMD_UNIT: "called-it-web@1.service" };
const entries = [
  { MESSAGE: JSON.stringify({ level: 30, time: AT, name: "web-1", port: 3000, msg: "listening" }), ...web },
  {
    MESSAGE: JSON.stringify({
      level: 50,
      time: AT,
      name: "worker",
      requestId: "r-1",
      msg: "failed",
      err: { stack: "Error: no room\nMake room.\n    at write (/opt/called-it/a.ts:1:1)\n    at b" },
    }),
  },
  { MESSAGE: [...Buffer.from("SECRET_KEY is not set.")], ...web },
  { MESSAGE: '{"level":30,"time":17', ...web },
  { MESSAGE: "Started called-it-web@1.service.", UNIT: "called-it-web@1.service" },
  { MESSAGE: "Failed with result 'exit-code'.", UNIT: "called-it-backup.service", PRIORITY: "4" },
];

function logs(...words: string[]) {
  const stdin = entries
    .map((entry) => JSON.stringify({ __REALTIME_TIMESTAMP: `${AT}000`, ...entry }))
    .join("\n");
  const ran = Bun.spawnSync([process.execPath, "src/run/logs.ts", ...words], { stdin: Buffer.from(stdin) });
  return ran.stdout.toString();
}

const failed = `2026-11-29 20:32:42 worker ERROR failed {"requestId":"r-1"}\n  Error: no room\n  Make room.\n`;
const lastWords =
  '2026-11-29 20:32:42 web-1 SECRET_KEY is not set.\n2026-11-29 20:32:42 web-1 {"level":30,"time":17\n';
const ofSystemd = "2026-11-29 20:32:42 backup Failed with result 'exit-code'.\n";

test("the log of a machine is printed in words: time, process, message and cure", () => {
  expect(logs()).toBe(
    `2026-11-29 20:32:42 web-1 info listening {"port":3000}\n${failed}${lastWords}` +
      `2026-11-29 20:32:42 web-1 Started called-it-web@1.service.\n${ofSystemd}`,
  );
});

test("of errors alone are left the processes' own, their last words, and what systemd warns of", () => {
  expect(logs("--errors")).toBe(`${failed}${lastWords}${ofSystemd}`);
});

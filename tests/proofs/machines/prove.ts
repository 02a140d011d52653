import path from "node:path";
import { drawTable, show } from "#tests/bench/table.ts";
import { figure } from "#tests/prove/figure.ts";
import { type Broken, breakMachines } from "./break-machines.ts";
import { startMachines } from "./start-machines.ts";
import { visitMachines } from "./visit-machines.ts";

// Started by machines.proof.ts, with the folder of a certificate.
const BACK_WITHIN_S = 30;

const [folder = ""] = process.argv.slice(2);
const certificate = { certificate: path.join(folder, "certificate.pem"), key: path.join(folder, "key.pem") };
const machines = await startMachines(certificate);
try {
  print(`The machines are at ${machines.url}`);
  const visited = await visitMachines(machines, certificate);
  const broken = await breakMachines(machines);
  print(describe(broken));
  for (const text of figuresOf(broken)) figure(text);
  process.exitCode = visited && isGood(broken) ? 0 : 1;
} finally {
  await machines.stop();
}
process.exit();

function isGood({ faults, report }: Broken): boolean {
  const { messages, differences } = report;
  const lost =
    report.lost.length + report.unknown.length + messages.missed + messages.doubled + differences.length;
  const isBack = faults.every(({ afterS }) =>
    Object.values(afterS).every((seconds) => seconds < BACK_WITHIN_S),
  );
  return lost === 0 && isBack && Object.keys(report.others).every((what) => what === "503");
}

function describe({ faults, report }: Broken): string {
  const { messages } = report;
  const figures = [
    ["requests answered", report.answered],
    ["calls acknowledged", report.acknowledged],
    ["of them missing in the books", report.lost.length],
    ["calls in the books that were not acknowledged", report.unknown.length],
    ["messages received by sockets", messages.messages],
    ["messages missed", messages.missed],
    ["messages received twice", messages.doubled],
    ["reconnects", messages.reconnects],
    ["differences in the books", report.differences.length],
  ] as const;
  const killed = faults.map(({ killed: what, others, afterS }) => {
    const met = Object.entries(others).map(([status, count]) => `${count} x ${status}`);
    return [what, met.join(", ") || "none", ...Object.values(afterS).map((seconds) => seconds.toFixed(1))];
  });
  return [
    drawTable({
      title: "machines: parts are killed one after the other, under load",
      rows: [["killed", "refused", "page", "call", "message", "last refusal"], ...killed],
      notes: [
        "After how many seconds the first page, call and message that began after the kill came, and the last refusal.",
      ],
    }),
    drawTable({
      title: "",
      rows: [["what", "measured"], ...figures.map(([what, figure]) => [what, show(figure)])],
      notes: [],
    }),
  ].join("\n");
}

function figuresOf({ faults, report: { acknowledged, lost, messages } }: Broken): string[] {
  return [
    ...faults.map(({ killed, afterS }) => {
      const [page, call, message] = [afterS.page, afterS.call, afterS.message].map((seconds) =>
        seconds.toFixed(1),
      );
      return `after ${killed} a page ${page} s, a call ${call} s, a message ${message} s`;
    }),
    `${show(acknowledged)} calls, ${show(lost.length)} lost`,
    `${show(messages.messages)} messages, ${show(messages.missed)} missed`,
  ];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

import { asSaid, type Fault, mailsSent, typed, writeMails } from "./plant.ts";

const WORKER = "called-it-worker";
const WEB = "called-it-web@2";
/** It goes on by its number, as the row has it, unless systemd was faster. */
const frozen = (name: string, unit: string): Fault => ({
  name: `${name}: frozen`,
  begin: typed(`systemctl kill --signal=STOP --kill-who=main ${unit}`),
  end: ({ run }, said) => run(`kill -CONT ${/process (\d+) on/.exec(said)?.[1] ?? ""} || true`),
  part: "processes",
  said: /kill -CONT/,
});

/** A setting of one process alone, which starts again with it. */
const settingOf = (unit: string, setting: string) => ({
  begin: typed(`echo '${setting}' > /run/fault.env; mkdir -p /run/systemd/system/${unit}.service.d
printf '[Service]\nEnvironmentFile=/run/fault.env\n' > /run/systemd/system/${unit}.service.d/fault.conf
systemctl daemon-reload; systemctl restart ${unit} || true`),
  end: typed(
    `rm -r /run/systemd/system/${unit}.service.d; systemctl daemon-reload; systemctl reset-failed ${unit}; systemctl restart ${unit}`,
  ),
});

const CALLED_IT = "/etc/nginx/conf.d/called-it.conf";
/** The proxy's file is changed. */
const proxyChanged = (
  name: string,
  [part, change]: [Fault["part"], string],
  said: RegExp,
  alert: string,
): Fault => ({
  name: `nginx: ${name}`,
  begin: typed(`cp ${CALLED_IT} /root/kept.conf; sed -i '${change}' ${CALLED_IT}; systemctl reload nginx`),
  end: typed(`cp /root/kept.conf ${CALLED_IT}; systemctl reload nginx`),
  part,
  said,
  alert,
  lookedAtFromOutside: true,
});

const BACKUPS = "/var/backups/called-it";

/** What happens to the machine and to the processes on it. */
export const machineFaults: readonly Fault[] = [
  frozen("worker", WORKER),
  frozen("web process", WEB),
  {
    name: "worker: stopped",
    begin: async (night) => {
      await night.run(`systemctl stop ${WORKER}`);
      await writeMails(night);
    },
    end: typed(`systemctl start ${WORKER}`),
    part: "worker",
    said: /Start the worker/,
    alert: "WorkerStopped",
    caughtUp: mailsSent,
  },
  {
    name: "worker: killed, and started by systemd",
    begin: typed(`systemctl kill --signal=KILL --kill-who=main ${WORKER}`),
    end: () => undefined,
    part: null,
    maybe: "worker",
    said: /./,
  },
  {
    name: "web process: killed, and started by systemd",
    begin: typed(`systemctl kill --signal=KILL --kill-who=main ${WEB}`),
    end: () => undefined,
    part: null,
    said: /./,
  },
  {
    name: "web process: refuses a setting",
    ...settingOf(WEB, "STRIPE_WEBHOOK_SECRET=short"),
    part: "starts",
    said: /STRIPE_WEBHOOK_SECRET/,
    alert: "StartsRepeat",
  },
  {
    name: "web process: another Redis",
    begin: async (night) => {
      await night.run(
        "systemd-run --quiet --unit=other-redis redis-server --port 6390 --bind 127.0.0.1 --save '' --maxmemory-policy noeviction",
      );
      await settingOf(WEB, "REDIS_URL=redis://127.0.0.1:6390/0").begin(night);
    },
    end: async (night) => {
      await settingOf(WEB, "").end(night);
      await night.run("systemctl stop other-redis");
    },
    part: "jobs",
    said: /set the same everywhere/,
    alert: "Degraded",
  },
  {
    name: "worker: no mail server is set",
    ...settingOf(WORKER, "SMTP_URL="),
    part: "smtp",
    maybe: "worker",
    said: /Set SMTP_URL/,
    alert: "Degraded",
  },
  {
    name: "disk: full",
    begin: typed(`mount -t tmpfs -o size=60m none ${BACKUPS}`),
    end: typed(`umount ${BACKUPS}`),
    part: "disk",
    said: /Make room on this disk/,
    alert: "RoomScarce",
  },
  {
    name: "disk: nearly full",
    begin: typed(`mount -t tmpfs -o size=800m none ${BACKUPS}; fallocate --length 730m ${BACKUPS}/other`),
    end: typed(`rm ${BACKUPS}/other; umount ${BACKUPS}`),
    part: "disk",
    said: /Make room on this disk/,
    alert: "RoomScarce",
  },
  {
    name: "backup: fails",
    begin: typed(
      `mount -t tmpfs -o size=100m none ${BACKUPS}; mount -o remount,ro ${BACKUPS}; ! systemctl start called-it-backup; umount ${BACKUPS}`,
    ),
    part: "backups",
    ...asSaid("systemctl start called-it-backup"),
    alert: "BackupMissing",
  },
  proxyChanged(
    "lets no sockets through",
    ["cable", "/Upgrade \\$http_upgrade/d"],
    /must pass `Upgrade`/,
    "CableRefused",
  ),
  proxyChanged(
    "sends no X-Forwarded-For",
    ["proxy", 's/X-Forwarded-For .*;/X-Forwarded-For "";/'],
    /must send X-Forwarded-For/,
    "Degraded",
  ),
  proxyChanged(
    "keeps pages back",
    ["proxy", "s/proxy_buffering off/proxy_buffering on/"],
    /buffering of answers off/,
    "Degraded",
  ),
  {
    name: "nginx: stopped",
    begin: typed("systemctl stop nginx"),
    end: typed("systemctl start nginx"),
    part: "address",
    said: /See whether the proxy runs/,
    alert: "AddressUnreachable",
    lookedAtFromOutside: true,
    withoutHome: true,
  },
  {
    name: "nginx: its certificate ends in 5 days",
    begin: typed("called-it certificate /etc/ssl/ending.pem /etc/ssl/ending.key"),
    end: typed("called-it certificate /etc/ssl/good.pem /etc/ssl/good.key"),
    part: "certificate",
    said: /Renew it/,
    alert: "CertificateEnds",
    lookedAtFromOutside: true,
  },
];

import * as v from "valibot";
import { parseAddress } from "#db/address.ts";

const CENTS_PER_DOLLAR = 100;

export const onOff = v.pipe(
  v.picklist(["on", "off", "true", "false", "1", "0"]),
  v.transform((word) => ["on", "true", "1"].includes(word)),
);
export const wholeNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));
export const dollars = (digitsMax: number) =>
  v.pipe(
    v.string(),
    v.regex(new RegExp(`^\\d{1,${digitsMax}}(\\.\\d{1,2})?$`)),
    v.transform((text) => Math.round(Number(text) * CENTS_PER_DOLLAR)),
  );
export const webAddress = v.pipe(v.string(), v.regex(/^https?:\/\//), v.url());
/** The address of a site: what is beneath a path would find neither its files nor its cookies. */
export const siteAddress = v.pipe(
  webAddress,
  v.check((url) => {
    const { pathname, search, hash, username, password } = new URL(url);
    return /^\/*$/.test(pathname) && search + hash + username + password === "";
  }),
);
/** An address of a Postgres, which may have several servers. */
export const databaseAddress = v.pipe(
  v.string(),
  v.check((url) => parseAddress(url) !== null),
);
/** An address of one server, whether it takes writes or not. */
export const oneDatabase = v.pipe(
  v.string(),
  v.check((url) => parseAddress(url)?.hosts.length === 1),
);
const DAILY_TIME = /^((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)(?: (\S+))?$/;

/** "23:00-07:00 Europe/Berlin", which may go over midnight; without a zone in UTC. */
export const dailyTime = v.pipe(
  v.string(),
  v.regex(DAILY_TIME),
  v.transform((text) => {
    const [, from = "", until = "", zone = "UTC"] = DAILY_TIME.exec(text) ?? [];
    return { from, until, zone };
  }),
  v.check(({ from, until, zone }) => from !== until && Intl.supportedValuesOf("timeZone").includes(zone)),
);

export const commaList = v.pipe(
  v.string(),
  v.transform((list) =>
    list
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  ),
  v.minLength(1),
);
const ORIGIN = /^https?:\/\/[a-z\d.-]+(:\d{1,5})?$/;
/** Origins of web pages, as browsers write them. They stand in a header. */
export const origins = v.pipe(
  commaList,
  v.mapItems((origin) => origin.toLowerCase()),
  v.everyItem((origin) => ORIGIN.test(origin) && URL.canParse(origin)),
);
/** True for an address of a web server, where a mail address may stand too. */
export const isWebAddress = (address: string) => /^https?:/.test(address);
const email = v.pipe(v.string(), v.rfcEmail());
const SAFE_URL = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/])/;
/** An address of a web server: with TLS, unless it is on this machine. */
export const safeAddress = v.pipe(v.string(), v.regex(SAFE_URL), v.url());
/** Mail addresses, and addresses of web servers: with TLS, unless they are on this machine. */
export const alertAddresses = v.pipe(
  commaList,
  v.everyItem((address) =>
    isWebAddress(address) ? SAFE_URL.test(address) && URL.canParse(address) : v.is(email, address),
  ),
);

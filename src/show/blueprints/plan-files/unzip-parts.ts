import { Unzip, UnzipInflate } from "fflate";
import { SaxesParser } from "saxes";
import { nextTurn } from "#src/base/batcher.ts";
import { UnreadableFile } from "./unreadable-file.ts";

// Decision: a workbook is unpacked and read in small pieces, with a turn for other requests between them, and no further than its
// limits. So a file that unpacks to gigabytes, or a sheet without an end, costs no more than one of the largest that people have.

/** All parts of a workbook that are read, unpacked. The sheets of 1,000 questions have some 1 MB. */
const UNPACKED_BYTES_MAX = 16 * 1_048_576;
const PARTS_MAX = 200;
/** A piece of 1 KB unpacks to 1 MB at most. */
const PACKED_PIECE_BYTES = 1_024;
const XML_PIECE_BYTES = 65_536;

export type Parts = ReadonlyMap<string, Uint8Array>;

/**
 * Unpacks the parts that are wanted.
 * @throws UnreadableFile for a file that is broken or too large.
 */
export async function unzipParts(bytes: Uint8Array, isWanted: (name: string) => boolean): Promise<Parts> {
  const pieces = new Map<string, Uint8Array[]>();
  let unpacked = 0;
  let found = 0;
  const unzip = new Unzip((file) => {
    found += 1;
    if (found > PARTS_MAX * PARTS_MAX || pieces.size > PARTS_MAX) throw tooLarge();
    if (!isWanted(file.name)) return;
    const own: Uint8Array[] = [];
    pieces.set(file.name, own);
    file.ondata = (error, piece) => {
      if (error !== null) throw error;
      unpacked += piece.length;
      if (unpacked > UNPACKED_BYTES_MAX) throw tooLarge();
      own.push(piece);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += PACKED_PIECE_BYTES) {
      unzip.push(bytes.subarray(at, at + PACKED_PIECE_BYTES), at + PACKED_PIECE_BYTES >= bytes.length);
      await nextTurn();
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? error : broken();
  }
  return new Map(Array.from(pieces, ([name, own]) => [name, Buffer.concat(own)]));
}

export type XmlReader = {
  /** An element begins. @returns false to read no further. */
  open?: (name: string, attributes: Readonly<Record<string, string>>) => boolean | void;
  close?: (name: string) => boolean | void;
  text?: (text: string) => void;
};

/**
 * Goes through an XML document. Names are without their prefix, those of attributes have it.
 * @throws UnreadableFile for one that is broken.
 */
export async function readXml(
  bytes: Uint8Array | undefined,
  { open, close, text }: XmlReader,
): Promise<void> {
  const parser = new SaxesParser();
  let isDone = bytes === undefined;
  parser.on("opentag", ({ name, attributes }) => {
    if (!isDone) isDone = open?.(localName(name), attributes) === false;
  });
  parser.on("closetag", ({ name }) => {
    if (!isDone) isDone = close?.(localName(name)) === false;
  });
  parser.on("text", (piece) => {
    if (!isDone) text?.(piece);
  });
  parser.on("error", () => {
    throw broken();
  });
  const decoder = new TextDecoder();
  for (let at = 0; !isDone && at < (bytes?.length ?? 0); at += XML_PIECE_BYTES) {
    parser.write(decoder.decode(bytes?.subarray(at, at + XML_PIECE_BYTES), { stream: true }));
    await nextTurn();
  }
  // A part that was cut off has elements without an end.
  if (!isDone) parser.close();
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

const broken = () =>
  new UnreadableFile("This workbook is broken. Open it and save it again, or save it as CSV.");

function tooLarge(): UnreadableFile {
  return new UnreadableFile(
    "This workbook is too large. Keep the sheet with the questions alone, or save it as CSV.",
  );
}

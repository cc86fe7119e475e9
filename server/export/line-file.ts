/** A file of lines: written with a count and a checksum at its end, and read again line by line. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { fail } from "../../core/errors/fail.ts";

/** The longest text that an extractor may read, in a script of three bytes a letter, with room for all else. */
const lineBytesMax = 256 * 1024 * 1024;
/** Written together. */
const bufferCharacters = 256 * 1024;
const newline = 0x0a;

export interface LineWriter {
	readonly write: (line: object) => Promise<void>;
	/** Of all lines since the first, in hexadecimal: it tells nothing of when they were written. */
	readonly checksum: () => string;
	readonly end: () => Promise<void>;
}

export function lineWriter(file: FileHandle): LineWriter {
	const hash = createHash("sha256");
	let isFirst = true;
	let waiting: string[] = [];
	let characters = 0;

	async function flush(): Promise<void> {
		const bytes = Buffer.from(waiting.join(""), "utf8");
		[waiting, characters] = [[], 0];
		for (let done = 0; done < bytes.byteLength; ) done += (await file.write(bytes, done, bytes.byteLength - done)).bytesWritten;
	}

	return {
		write: async (line) => {
			const text = `${JSON.stringify(line)}\n`;
			if (!isFirst) hash.update(text);
			isFirst = false;
			waiting.push(text);
			characters += text.length;
			if (characters >= bufferCharacters) await flush();
		},
		checksum: () => hash.copy().digest("hex"),
		end: flush,
	};
}

export interface ReadLine {
	readonly value: unknown;
	/** From 1. */
	readonly number: number;
	/** How many bytes of the file were read with it. */
	readonly readTo: number;
	/** Of all lines before this one, the first left out. */
	readonly checksumBefore: () => string;
}

/** @throws ServiceError `EXPORT_INVALID` */
export async function* readLines(path: string): AsyncGenerator<ReadLine> {
	const hash = createHash("sha256");
	let number = 0;
	let readTo = 0;
	for await (const line of linesIn(path)) {
		number += 1;
		readTo += line.byteLength;
		yield { value: parsed(line, number), number, readTo, checksumBefore: () => hash.copy().digest("hex") };
		if (number > 1) hash.update(line);
	}
}

/** Each with its line break; the last must have one too. */
async function* linesIn(path: string): AsyncGenerator<Uint8Array> {
	let begun: Uint8Array[] = [];
	let begunBytes = 0;
	for await (const given of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
		const piece = given as Uint8Array;
		let from = 0;
		for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
			const rest = piece.subarray(from, end + 1);
			yield begunBytes === 0 ? rest : Buffer.concat([...begun, rest]);
			[begun, begunBytes, from] = [[], 0, end + 1];
		}
		if (from === piece.byteLength) continue;
		begun.push(piece.slice(from));
		begunBytes += piece.byteLength - from;
		if (begunBytes > lineBytesMax) throw fail("EXPORT_INVALID", `it has a line of more than ${lineBytesMax} bytes`);
	}
	if (begunBytes > 0) throw fail("EXPORT_INVALID", "it is cut off in the middle of a line");
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function parsed(line: Uint8Array, number: number): unknown {
	try {
		return JSON.parse(decoder.decode(line));
	} catch (thrown) {
		throw fail("EXPORT_INVALID", `line ${number} is no JSON`).because(thrown);
	}
}

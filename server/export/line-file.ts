/** Writes and reads a JSON Lines file line by line, and computes a checksum of its lines. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { fail } from "../../core/errors/fail.ts";

/** Enough for the longest text that an extractor may read, at three bytes per character, and for the other fields of a line. */
const lineBytesMax = 256 * 1024 * 1024;
/** The number of characters that are collected before they are written to disk. */
const bufferCharactersMax = 256 * 1024;
const newline = 0x0a;

export interface LineWriter {
	readonly write: (line: object) => Promise<void>;
	/** The SHA-256 checksum of all lines except the first, in hex. The first line contains the time of the export. */
	readonly checksum: () => string;
	readonly end: () => Promise<void>;
}

export function lineWriter(file: FileHandle): LineWriter {
	const hash = createHash("sha256");
	let isFirst = true;
	let bufferedLines: string[] = [];
	let bufferedCharacters = 0;

	async function flush(): Promise<void> {
		const bytes = Buffer.from(bufferedLines.join(""), "utf8");
		[bufferedLines, bufferedCharacters] = [[], 0];
		for (let written = 0; written < bytes.byteLength; ) written += (await file.write(bytes, written, bytes.byteLength - written)).bytesWritten;
	}

	return {
		write: async (line) => {
			const text = `${JSON.stringify(line)}\n`;
			if (!isFirst) hash.update(text);
			isFirst = false;
			bufferedLines.push(text);
			bufferedCharacters += text.length;
			if (bufferedCharacters >= bufferCharactersMax) await flush();
		},
		checksum: () => hash.copy().digest("hex"),
		end: flush,
	};
}

export interface NumberedLine {
	readonly value: unknown;
	/** The number of the line, from 1. */
	readonly number: number;
	/** The number of bytes from the start of the file to the end of this line. */
	readonly endOffset: number;
	/** The SHA-256 checksum of all lines before this one except the first, in hex. */
	readonly checksumBefore: () => string;
}

/** @throws ServiceError `EXPORT_INVALID` */
export async function* readLines(path: string): AsyncGenerator<NumberedLine> {
	const hash = createHash("sha256");
	let number = 0;
	let endOffset = 0;
	for await (const line of readLineBytes(path)) {
		number += 1;
		endOffset += line.byteLength;
		yield { value: parseJson(line, number), number, endOffset, checksumBefore: () => hash.copy().digest("hex") };
		if (number > 1) hash.update(line);
	}
}

/** Reads lines with their line breaks. The last line must have one too. */
async function* readLineBytes(path: string): AsyncGenerator<Uint8Array> {
	let lineStart: Uint8Array[] = [];
	let lineStartBytes = 0;
	for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
		const bytes = chunk as Uint8Array;
		let start = 0;
		for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
			const lineEnd = bytes.subarray(start, end + 1);
			yield lineStartBytes === 0 ? lineEnd : Buffer.concat([...lineStart, lineEnd]);
			[lineStart, lineStartBytes, start] = [[], 0, end + 1];
		}
		if (start === bytes.byteLength) continue;
		lineStart.push(bytes.slice(start));
		lineStartBytes += bytes.byteLength - start;
		if (lineStartBytes > lineBytesMax) throw fail("EXPORT_INVALID", `it contains a line of more than ${lineBytesMax} bytes`);
	}
	if (lineStartBytes > 0) throw fail("EXPORT_INVALID", "it is incomplete: it ends in the middle of a line");
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function parseJson(line: Uint8Array, number: number): unknown {
	try {
		return JSON.parse(decoder.decode(line));
	} catch (thrown) {
		throw fail("EXPORT_INVALID", `line ${number} is not valid JSON`).because(thrown);
	}
}

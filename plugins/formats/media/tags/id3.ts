/** The label before an MP3 (ID3v2): names, lyrics with and without times, chapters. */

import { type ByteView, byteView } from "../byte-view.ts";
import { canonicalLanguage } from "../canonical-language.ts";
import type { Chapter, Cue } from "../cue.ts";
import { type Tags, tagsOf } from "../recording.ts";

export interface Label {
	readonly tags: Tags;
	readonly chapters: readonly Chapter[];
	readonly language: string | null;
}

interface Frame {
	readonly name: string;
	readonly bytes: Uint8Array;
}

const names: Readonly<Record<string, string>> = {
	TIT2: "title",
	TT2: "title",
	TPE1: "artist",
	TP1: "artist",
	TPE2: "albumartist",
	TP2: "albumartist",
	TALB: "album",
	TAL: "album",
};

/** Null where there is no label at this place. */
export function readId3(bytes: Uint8Array): Label | null {
	const view = byteView(bytes);
	if (view.length < 10 || view.name(0, 3) !== "ID3") return null;
	const version = view.u8(3);
	if (version < 2 || version > 4) return null;
	const flags = view.u8(5);
	const end = Math.min(view.length, 10 + sevenBits(view, 6));
	const body = view.slice(10, end);
	// Until version 3 a zero was put behind every 0xFF of the whole label.
	const plain = (flags & 0x80) !== 0 && version < 4 ? withoutZeros(body) : body;
	const inside = byteView(plain);
	const skipped = (flags & 0x40) === 0 || version === 2 || plain.length < 4 ? 0 : version === 4 ? sevenBits(inside, 0) : inside.u32(0) + 4;
	return labelOf([...framesIn(inside, skipped, version)], version);
}

function* framesIn(view: ByteView, begin: number, version: number): Generator<Frame> {
	const header = version === 2 ? 6 : 10;
	let at = begin;
	while (at + header <= view.length) {
		const name = view.name(at, version === 2 ? 3 : 4);
		if (!/^[A-Z][A-Z0-9]{2,3}$/.test(name)) return; // padding
		const size = version === 2 ? view.u24(at + 3) : version === 3 ? view.u32(at + 4) : sevenBits(view, at + 4);
		const bits = version === 2 ? 0 : view.u8(at + 9);
		const bytes = view.slice(at + header, at + header + size);
		// Compressed and encrypted frames are left out; nothing that writes words makes them.
		const isPacked = version === 3 ? (bits & 0xc0) !== 0 : (bits & 0x0c) !== 0;
		const isEscaped = version === 4 && (bits & 0x02) !== 0;
		const isCounted = version === 4 && (bits & 0x01) !== 0;
		const counted = isCounted ? bytes.subarray(4) : bytes;
		if (!isPacked) yield { name, bytes: isEscaped ? withoutZeros(counted) : counted };
		at += header + size;
	}
}

function labelOf(frames: readonly Frame[], version: number): Label {
	const values = new Map<string, string>();
	const chapters: Chapter[] = [];
	let timedLyrics: readonly Cue[] = [];
	let language: string | null = null;
	for (const { name, bytes } of frames) {
		const field = names[name];
		if (field !== undefined && !values.has(field)) values.set(field, textsOf(bytes).join(", "));
		if (name === "USLT" || name === "ULT" || name === "COMM" || name === "COM") {
			const said = describedText(bytes);
			const kind = name.startsWith("U") ? "lyrics" : "comment";
			// Programs keep numbers of their own in comments that have a name.
			if (kind === "comment" && said.description !== "") continue;
			if (!values.has(kind)) values.set(kind, said.text);
			if (kind === "lyrics") language ??= canonicalLanguage(said.language);
		}
		if ((name === "SYLT" || name === "SLT") && timedLyrics.length === 0) timedLyrics = timedWords(bytes);
		if (name === "CHAP" && chapters.length < 10_000) chapters.push(...chapterOf(bytes, version));
		if (name === "TLAN") language ??= canonicalLanguage(textsOf(bytes)[0]);
	}
	return { tags: { ...tagsOf(values), timedLyrics }, chapters, language };
}

function describedText(bytes: Uint8Array): { readonly language: string; readonly description: string; readonly text: string } {
	const [description = "", ...rest] = split(bytes[0] ?? 0, bytes.subarray(4), 2);
	return { language: String.fromCharCode(...bytes.subarray(1, 4)), description, text: rest.join("\n").replace(/\r\n?/g, "\n") };
}

/** Words, each with the millisecond at which it is sung; a line feed begins a line. Times in frames are not kept. */
function timedWords(bytes: Uint8Array): readonly Cue[] {
	const encoding = bytes[0] ?? 0;
	if (bytes.length < 7 || bytes[4] !== 2 || (bytes[5] !== 1 && bytes[5] !== 0)) return [];
	const view = byteView(bytes);
	const lines: { begin: number; end: number; text: string }[] = [];
	let at = endOfText(bytes, 6, encoding);
	while (at < bytes.length) {
		const end = endOfText(bytes, at, encoding);
		if (end + 4 > bytes.length) break;
		const text = decode(encoding, bytes.subarray(at, end));
		const begin = view.u32(end) / 1000;
		const last = lines.at(-1);
		if (last === undefined || text.startsWith("\n") || last.text.endsWith("\n") || last.text.length > 500) lines.push({ begin, end: begin, text });
		else lines[lines.length - 1] = { begin: last.begin, end: begin, text: last.text + text };
		at = end + 4;
	}
	return lines.flatMap(({ begin, text }) => (text.trim() === "" ? [] : [{ begin, end: null, speaker: null, text: text.trim() }]));
}

/** Its name stands in a label inside of the frame. */
function chapterOf(bytes: Uint8Array, version: number): readonly Chapter[] {
	const view = byteView(bytes);
	const id = bytes.indexOf(0);
	if (id < 0 || id + 17 > bytes.length) return [];
	for (const { name, bytes: text } of framesIn(byteView(bytes.subarray(id + 17)), 0, version))
		if (name === "TIT2") return [{ begin: view.u32(id + 1) / 1000, name: textsOf(text).join(" ") }];
	return [];
}

function textsOf(bytes: Uint8Array): readonly string[] {
	return split(bytes[0] ?? 0, bytes.subarray(1), 20).filter((text) => text !== "");
}

/** Texts parted by zeros; the last of as many takes the rest. */
function split(encoding: number, bytes: Uint8Array, most: number): readonly string[] {
	const parts: string[] = [];
	let at = 0;
	while (at < bytes.length) {
		const next = parts.length === most - 1 ? bytes.length : endOfText(bytes, at, encoding);
		parts.push(decode(encoding, bytes.subarray(at, next)));
		at = next;
	}
	return parts;
}

/** Behind the zeros that end a text, or the end of the bytes. */
function endOfText(bytes: Uint8Array, from: number, encoding: number): number {
	if (encoding === 0 || encoding === 3) {
		const zero = bytes.indexOf(0, from);
		return zero < 0 ? bytes.length : zero + 1;
	}
	for (let at = from; at + 1 < bytes.length; at += 2) if (bytes[at] === 0 && bytes[at + 1] === 0) return at + 2;
	return bytes.length;
}

function decode(encoding: number, bytes: Uint8Array): string {
	const isLittle = encoding === 1 && !(bytes[0] === 0xfe && bytes[1] === 0xff);
	const name = encoding === 3 ? "utf-8" : encoding === 0 ? "latin1" : isLittle ? "utf-16le" : "utf-16be";
	return new TextDecoder(name).decode(bytes).replaceAll("\0", "");
}

function withoutZeros(bytes: Uint8Array): Uint8Array {
	return bytes.filter((byte, index) => byte !== 0 || bytes[index - 1] !== 0xff);
}

function sevenBits(view: ByteView, at: number): number {
	return [0, 1, 2, 3].reduce((value, index) => value * 128 + (view.u8(at + index) & 0x7f), 0);
}

/** Audio files with labels made to order; the sound in them is silence. */

import { u32 } from "./mp4-file.ts";

/** An MP3: a label of version 3 or 4 with these frames, then a few frames of silence. */
export function mp3Of(frames: readonly (readonly [name: string, bytes: Uint8Array])[], version: 3 | 4 = 3): Uint8Array {
	const body = Buffer.concat(
		frames.map(([name, bytes]) => Buffer.concat([Buffer.from(name), version === 4 ? sevenBits(bytes.length) : u32(bytes.length), Buffer.alloc(2), bytes])),
	);
	return Buffer.concat([Buffer.from("ID3"), Buffer.from([version, 0, 0]), sevenBits(body.length + 20), body, Buffer.alloc(20), silence(20)]);
}

/** An AIFF with the label of an MP3 in it. */
export function aiffOf(frames: readonly (readonly [name: string, bytes: Uint8Array])[]): Uint8Array {
	const chunk = (name: string, body: Uint8Array) => Buffer.concat([Buffer.from(name), u32(body.length), body, Buffer.alloc(body.length % 2)]);
	const form = Buffer.from([0, 1, 0, 0, 0, 8, 0, 16, 0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0]);
	const chunks = [chunk("COMM", form), chunk("ID3 ", mp3Of(frames)), chunk("SSND", Buffer.alloc(24))];
	return chunk("FORM", Buffer.concat([Buffer.from("AIFF"), ...chunks]));
}

/** `text` in UTF-16 with its mark, as iTunes writes it. */
export function wideText(text: string): Uint8Array {
	return Buffer.concat([Buffer.from([1]), wide(text)]);
}

export function narrowText(text: string): Uint8Array {
	return Buffer.concat([Buffer.from([3]), Buffer.from(text)]);
}

export function wideLyrics(language: string, text: string): Uint8Array {
	return Buffer.concat([Buffer.from([1]), Buffer.from(language), wide(""), Buffer.alloc(2), wide(text)]);
}

export function timedLyrics(lines: readonly (readonly [ms: number, text: string])[]): Uint8Array {
	return Buffer.concat([Buffer.from([3]), Buffer.from("eng"), Buffer.from([2, 1, 0]), ...lines.flatMap(([ms, text]) => [Buffer.from(`${text}\0`), u32(ms)])]);
}

export function chapter(ms: number, name: string): Uint8Array {
	const title = narrowText(name);
	return Buffer.concat([Buffer.from(`c${ms}\0`), u32(ms, ms + 1, 0xffffffff, 0xffffffff), Buffer.from("TIT2"), u32(title.length), Buffer.alloc(2), title]);
}

/** Frames of MPEG-1 layer III, 128 kbit/s at 44.1 kHz, that say nothing. */
function silence(count: number): Uint8Array {
	return Buffer.concat(Array.from({ length: count }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x44]), Buffer.alloc(413)])));
}

export function flacOf(comments: readonly string[]): Uint8Array {
	const list = commentList(comments);
	return Buffer.concat([
		Buffer.from("fLaC"),
		Buffer.from([0, 0, 0, 34]),
		Buffer.alloc(34),
		Buffer.from([0x84, 0]),
		Buffer.from([list.length >> 8, list.length & 0xff]),
		list,
	]);
}

/** Opus in Ogg. Comments that are longer than a page go on in the next one. */
export function opusOf(comments: readonly string[]): Uint8Array {
	const list = Buffer.concat([Buffer.from("OpusTags"), commentList(comments)]);
	const pages = [page(Buffer.concat([Buffer.from("OpusHead"), Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0])]), true, 2)];
	const most = 255 * 200;
	for (let at = 0; at <= list.length; at += most) pages.push(page(list.subarray(at, at + most), at + most > list.length, at > 0 ? 1 : 0));
	return Buffer.concat(pages);
}

/** 8 kHz, one byte a sample; the data counts up. */
export function waveOf(names: Readonly<Record<string, string>>, dataBytes = 64): Uint8Array {
	const chunk = (name: string, ...parts: readonly Uint8Array[]) => {
		const body = Buffer.concat(parts);
		const size = Buffer.alloc(4);
		size.writeUInt32LE(body.length);
		return Buffer.concat([Buffer.from(name), size, body, Buffer.alloc(body.length % 2)]);
	};
	const list = Object.entries(names).map(([name, value]) => chunk(name, Buffer.from(`${value}\0`)));
	return chunk(
		"RIFF",
		Buffer.from("WAVE"),
		chunk("fmt ", Buffer.from([1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0])),
		chunk("LIST", Buffer.from("INFO"), ...list),
		chunk("data", Buffer.from(Array.from({ length: dataBytes }, (_, index) => index % 251))),
	);
}

/** @param flags 2 for the first page of a stream, 1 for one that goes on with a packet. */
function page(bytes: Uint8Array, isEnd: boolean, flags: number): Uint8Array {
	const full = Math.floor(bytes.length / 255);
	const lacing = Buffer.from([...Array<number>(full).fill(255), ...(isEnd ? [bytes.length % 255] : [])]);
	return Buffer.concat([Buffer.from("OggS"), Buffer.from([0, flags]), Buffer.alloc(20), Buffer.from([lacing.length]), lacing, bytes]);
}

function commentList(comments: readonly string[]): Uint8Array {
	const counted = (text: string) => Buffer.concat([little(Buffer.byteLength(text)), Buffer.from(text)]);
	return Buffer.concat([counted("made by hand"), little(comments.length), ...comments.map(counted)]);
}

function little(value: number): Uint8Array {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

function wide(text: string): Uint8Array {
	return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);
}

function sevenBits(value: number): Uint8Array {
	return Buffer.from([21, 14, 7, 0].map((bits) => (value >> bits) & 0x7f));
}

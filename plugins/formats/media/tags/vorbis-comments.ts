/** `NAME=value` lists of FLAC, Vorbis and Opus, with chapters as they have them. */

import { type ByteView, byteView } from "../byte-view.ts";
import type { Chapter } from "../cue.ts";
import { type Tags, tagsOf } from "../recording.ts";
import { secondsOf } from "../subtitles/cue-time.ts";

export interface Comments {
	readonly tags: Tags;
	readonly chapters: readonly Chapter[];
}

const commentsMax = 10_000;
/** Words are short; pictures stand in here too. */
const valueBytesMax = 1024 * 1024;

export function readComments(view: ByteView, begin: number, end: number): Comments {
	const values = new Map<string, string>();
	let at = begin + 4 + view.u32Little(begin);
	const count = Math.min(at + 4 <= end ? view.u32Little(at) : 0, commentsMax);
	at += 4;
	for (let index = 0; index < count && at + 4 <= end; index++) {
		const size = view.u32Little(at);
		at += 4;
		const [, name = "", value = ""] = /^([^=]{1,100})=([\s\S]*)$/.exec(size > valueBytesMax ? "" : view.utf8(at, Math.min(end, at + size))) ?? [];
		const key = name.toLowerCase();
		if (key !== "" && !values.has(key)) values.set(key, value);
		at += size;
	}
	const chapters = [...values].flatMap(([key, value]) => {
		const begins = /^chapter(\d{1,4})$/.test(key) ? secondsOf(value) : null;
		return begins === null ? [] : [{ begin: begins, name: values.get(`${key}name`) ?? "" }];
	});
	return { tags: tagsOf(values), chapters };
}

/** The metadata block of kind 4. */
export function flacComments(bytes: Uint8Array): Comments | null {
	const view = byteView(bytes);
	for (let at = 4; at + 4 <= view.length; ) {
		const size = view.u24(at + 1);
		const kind = view.u8(at);
		if ((kind & 0x7f) === 4) return readComments(view, at + 4, Math.min(view.length, at + 4 + size));
		if ((kind & 0x80) !== 0) return null;
		at += 4 + size;
	}
	return null;
}

/** The second packet of a stream, put together from its pages. */
export function oggComments(bytes: Uint8Array): Comments | null {
	for (const packet of firstPackets(bytes)) {
		const view = byteView(packet);
		const isOpus = packet.length > 16 && view.name(0, 8) === "OpusTags";
		const isVorbis = packet.length > 15 && view.u8(0) === 3 && view.name(1, 6) === "vorbis";
		if (isOpus || isVorbis) return readComments(view, isOpus ? 8 : 7, packet.length);
	}
	return null;
}

/** As far as comments may lie behind the first page of other streams. */
const packetsLookedAt = 8;
const headerBytesMax = 16 * 1024 * 1024;

function* firstPackets(bytes: Uint8Array): Generator<Uint8Array> {
	const view = byteView(bytes);
	let parts: Uint8Array[] = [];
	let packets = 0;
	for (let at = 0; at + 27 <= Math.min(view.length, headerBytesMax) && view.name(at) === "OggS"; ) {
		const segments = view.u8(at + 26);
		let from = at + 27 + segments;
		for (let segment = 0; segment < segments && at + 27 + segment < view.length; segment++) {
			const size = view.u8(at + 27 + segment);
			parts.push(view.slice(from, from + size));
			from += size;
			if (size === 255) continue;
			yield new Uint8Array(Buffer.concat(parts));
			parts = [];
			packets++;
			if (packets >= packetsLookedAt) return;
		}
		at = from;
	}
}

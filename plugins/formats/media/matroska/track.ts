/** The header of a Matroska track: its type, language, and frame compression. */

import { inflateSync } from "node:zlib";
import type { ByteView } from "../byte-view.ts";
import { canonicalLanguage } from "../canonical-language.ts";
import { childOf, childrenOf, type Element, numberIn, textIn } from "./elements.ts";

export interface Track {
	readonly number: number;
	/** 1 video, 2 audio, 17 subtitles. */
	readonly type: number;
	readonly codec: string;
	readonly language: string | null;
	readonly name: string | null;
	readonly isDefault: boolean;
	readonly isForced: boolean;
	/** The default duration of a frame in seconds; null if there is none. */
	readonly frameSeconds: number | null;
	/** Decompresses a frame. Null if the frames are encrypted, or compressed with an obsolete method. */
	readonly unpack: ((frame: Uint8Array) => Uint8Array) | null;
}

/** The largest decompressed frame, in bytes. A subtitle has only a line or two. */
const frameBytesMax = 64 * 1024;

const ids = {
	entry: 0xae,
	number: 0xd7,
	type: 0x83,
	codec: 0x86,
	language: 0x22b59c,
	languageTag: 0x22b59d,
	name: 0x536e,
	isDefault: 0x88,
	isForced: 0x55aa,
	duration: 0x23e383,
	encodings: 0x6d80,
	encoding: 0x6240,
	compression: 0x5034,
	algorithm: 0x4254,
	settings: 0x4255,
	encryption: 0x5035,
} as const;

export function tracksIn(view: ByteView, tracks: Element): readonly Track[] {
	return childrenOf(view, tracks, ids.entry)
		.slice(0, 1_000)
		.map((entry) => {
			const child = (id: number) => childOf(view, entry, id);
			const duration = numberIn(view, child(ids.duration), 0);
			const tag = textIn(view, child(ids.languageTag)) ?? textIn(view, child(ids.language)) ?? "eng"; // the default
			return {
				number: numberIn(view, child(ids.number), 0),
				type: numberIn(view, child(ids.type), 0),
				codec: textIn(view, child(ids.codec)) ?? "",
				language: canonicalLanguage(tag),
				name: textIn(view, child(ids.name))?.slice(0, 200) ?? null,
				isDefault: numberIn(view, child(ids.isDefault), 1) === 1,
				isForced: numberIn(view, child(ids.isForced), 0) === 1,
				frameSeconds: duration === 0 ? null : duration / 1e9,
				unpack: unpackerOf(view, child(ids.encodings)),
			};
		});
}

function unpackerOf(view: ByteView, encodings: Element | null): Track["unpack"] {
	const [encoding, ...others] = encodings === null ? [] : childrenOf(view, encodings, ids.encoding);
	if (encoding === undefined) return (frame) => frame;
	if (others.length > 0 || childOf(view, encoding, ids.encryption) !== null) return null;
	const compression = childOf(view, encoding, ids.compression);
	const algorithm = numberIn(view, childOf(view, compression, ids.algorithm), 0);
	if (algorithm === 0) return inflateFrame;
	if (algorithm !== 3) return null;
	const settings = childOf(view, compression, ids.settings);
	const commonPrefix = settings === null ? new Uint8Array() : view.slice(settings.begin, settings.end);
	return (frame) => new Uint8Array([...commonPrefix.subarray(0, 1_000), ...frame.subarray(0, frameBytesMax)]);
}

/** Decompresses a frame; empty if that fails. */
function inflateFrame(frame: Uint8Array): Uint8Array {
	try {
		return inflateSync(frame, { maxOutputLength: frameBytesMax });
	} catch {
		return new Uint8Array();
	}
}

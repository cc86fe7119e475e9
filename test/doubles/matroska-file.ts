/** Matroska and WebM files made to order: text tracks in clusters, laced or packed, chapters and names. */

import { deflateSync } from "node:zlib";

export interface MatroskaTrack {
	readonly type: "video" | "audio" | "subtitles";
	readonly codec: string;
	readonly language?: string;
	readonly name?: string;
	readonly isDefault?: boolean;
	readonly isForced?: boolean;
	readonly isDeflated?: boolean;
	/** Bytes that every frame begins with and that are left out. */
	readonly stripped?: string;
	readonly cues?: readonly MatroskaCue[];
}

export interface MatroskaCue {
	/** Milliseconds. */
	readonly begin: number;
	/** Left out of the file when it is left out here. */
	readonly end?: number;
	readonly text: string;
}

export interface Matroska {
	readonly tracks: readonly MatroskaTrack[];
	readonly docType?: "matroska" | "webm";
	readonly title?: string;
	readonly chapters?: readonly (readonly [beginMs: number, name: string])[];
	readonly tags?: Readonly<Record<string, string>>;
	/** As live recordings are written: nobody knew how long they would be. */
	readonly isOpen?: boolean;
}

type Part = string | Uint8Array | number;

export function element(id: number, ...parts: readonly Part[]): Uint8Array {
	const body = Buffer.concat(parts.map(bytesOf));
	return Buffer.concat([idOf(id), sizeOf(body.length), body]);
}

/** The same with a size of all ones: not known. */
export function openElement(id: number, ...parts: readonly Part[]): Uint8Array {
	return Buffer.concat([idOf(id), Buffer.from([0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), ...parts.map(bytesOf)]);
}

export function idOf(id: number): Uint8Array {
	const hex = id.toString(16);
	return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}

function bytesOf(part: Part): Uint8Array {
	if (typeof part === "string") return Buffer.from(part);
	return typeof part === "number" ? idOf(part) : part;
}

function sizeOf(size: number): Uint8Array {
	if (size < 127) return Buffer.from([0x80 | size]);
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64BE(BigInt(size));
	bytes[0] = 0x01;
	return bytes;
}

export function matroskaOf({ tracks, docType = "matroska", title, chapters = [], tags = {}, isOpen = false }: Matroska): Uint8Array {
	const grow = isOpen ? openElement : element;
	const cues = tracks.flatMap((track, index) => (track.cues ?? []).map((cue) => ({ ...cue, track, number: index + 1 }))).sort((a, b) => a.begin - b.begin);
	const clusters: Uint8Array[] = [];
	// Three cues a cluster, each with a time of its own.
	for (let at = 0; at < cues.length; at += 3) {
		const some = cues.slice(at, at + 3);
		const time = some[0]?.begin ?? 0;
		clusters.push(grow(0x1f43b675, element(0xe7, number(time)), ...some.map((cue) => blockGroup(cue, cue.begin - time))));
	}
	const head = element(0x1a45dfa3, element(0x4282, docType));
	const atoms = chapters.map(([begin, name]) => element(0xb6, element(0x91, number(begin * 1_000_000)), element(0x80, element(0x85, name))));
	const segment = grow(
		0x18538067,
		element(0x1549a966, element(0x2ad7b1, number(1_000_000)), ...(title === undefined ? [] : [element(0x7ba9, title)])),
		element(0x1654ae6b, ...tracks.map(trackEntry)),
		...(atoms.length === 0 ? [] : [element(0x1043a770, element(0x45b9, ...atoms))]),
		element(0x1254c367, ...Object.entries(tags).map(([name, text]) => element(0x7373, element(0x67c8, element(0x45a3, name), element(0x4487, text))))),
		...clusters,
	);
	return new Uint8Array(Buffer.concat([head, segment]));
}

function trackEntry({ type, codec, language, name, isDefault, isForced, isDeflated, stripped }: MatroskaTrack, index: number): Uint8Array {
	const packing = isDeflated ? element(0x5034, element(0x4254, number(0))) : element(0x5034, element(0x4254, number(3)), element(0x4255, stripped ?? ""));
	return element(
		0xae,
		element(0xd7, number(index + 1)),
		element(0x83, number({ video: 1, audio: 2, subtitles: 17 }[type])),
		element(0x86, codec),
		...(language === undefined ? [] : [element(0x22b59c, language)]),
		...(name === undefined ? [] : [element(0x536e, name)]),
		...(isDefault === undefined ? [] : [element(0x88, number(isDefault ? 1 : 0))]),
		...(isForced === undefined ? [] : [element(0x55aa, number(isForced ? 1 : 0))]),
		...(isDeflated || stripped !== undefined ? [element(0x6d80, element(0x6240, packing))] : []),
	);
}

function blockGroup(
	{ begin, end, text, track, number: own }: MatroskaCue & { readonly track: MatroskaTrack; readonly number: number },
	offset: number,
): Uint8Array {
	const plain = Buffer.from(text);
	const frame = track.isDeflated ? deflateSync(plain) : plain.subarray((track.stripped ?? "").length);
	const block = Buffer.concat([Buffer.from([0x80 | own, (offset >> 8) & 0xff, offset & 0xff, 0]), frame]);
	if (end === undefined) return element(0xa3, block);
	return element(0xa0, element(0xa1, block), element(0x9b, number(end - begin)));
}

export function number(value: number): Uint8Array {
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64BE(BigInt(value));
	const first = bytes.findIndex((byte) => byte !== 0);
	return bytes.subarray(first < 0 ? 7 : first);
}

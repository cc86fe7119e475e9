/** Splits audio that is too large for a service between frames, without decoding. Works for MP3 and WAV. */

import { type ByteView, byteView } from "./byte-view.ts";

export interface Piece {
	readonly bytes: Uint8Array;
	/** Seconds from the start of the recording. */
	readonly begin: number;
}

/** More parts would take a service a day. */
const piecesMax = 100;

/** Null when it is no MP3 of layer III, or would give too many parts. */
export function splitMp3(bytes: Uint8Array, bytesMax: number): readonly Piece[] | null {
	const view = byteView(bytes);
	const pieces: Piece[] = [];
	let from: number | null = null;
	let begin = 0;
	let seconds = 0;
	let end = 0;
	for (let at = 0; at + 4 <= view.length; ) {
		const frame = frameAt(view, at);
		if (frame === null) {
			at++; // a tag, or damaged bytes
			continue;
		}
		from ??= at;
		if (at + frame.size - from > bytesMax && end > from) {
			pieces.push({ bytes: view.slice(from, end), begin });
			from = at;
			begin = seconds;
		}
		seconds += frame.seconds;
		at += frame.size;
		end = Math.min(at, view.length);
	}
	if (from !== null) pieces.push({ bytes: view.slice(from, end), begin });
	return fitting(pieces, bytesMax);
}

const kilobits = {
	first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	second: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const rates = [44_100, 48_000, 32_000] as const;

/** A frame header, if another frame or the end follows: the eleven sync bits alone also occur inside of frames. */
function frameAt(view: ByteView, at: number): { readonly size: number; readonly seconds: number } | null {
	const frame = headerAt(view, at);
	if (frame === null) return null;
	const next = at + frame.size;
	return next + 4 > view.length || headerAt(view, next) !== null ? frame : null;
}

function headerAt(view: ByteView, at: number): { readonly size: number; readonly seconds: number } | null {
	if (view.u8(at) !== 0xff) return null;
	const head = view.u8(at + 1);
	const version = (head >> 3) & 3; // 3 for MPEG-1, 2 for MPEG-2, 0 for MPEG-2.5
	if ((head & 0xe6) !== 0xe2 || version === 1) return null;
	const detail = view.u8(at + 2);
	const rate = (rates[(detail >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
	const bits = (version === 3 ? kilobits.first : kilobits.second)[detail >> 4] ?? 0;
	if (rate === 0 || bits === 0) return null;
	const samples = version === 3 ? 1152 : 576;
	return { size: Math.floor((samples * bits * 125) / rate) + ((detail >> 1) & 1), seconds: samples / rate };
}

/** Null when it is no WAV with frames of a known size. */
export function splitWave(bytes: Uint8Array, bytesMax: number): readonly Piece[] | null {
	const view = byteView(bytes);
	let format: Uint8Array | null = null;
	for (let at = 12; at + 8 <= view.length; ) {
		const size = view.u32Little(at + 4);
		if (view.name(at) === "fmt " && size >= 16 && size < 1_000) format = view.slice(at, at + 8 + size);
		if (view.name(at) === "data") return format === null ? null : fitting(wavePieces(view.slice(at + 8, at + 8 + size), format, bytesMax), bytesMax);
		at += 8 + size + (size % 2);
	}
	return null;
}

function wavePieces(data: Uint8Array, format: Uint8Array, bytesMax: number): readonly Piece[] {
	const about = byteView(format);
	const perSecond = about.u32Little(16);
	const frame = about.u8(20) + about.u8(21) * 256;
	const most = Math.floor((bytesMax - format.length - 20) / Math.max(1, frame)) * frame;
	if (perSecond === 0 || most <= 0 || data.length / most > piecesMax) return [];
	return Array.from({ length: Math.ceil(data.length / most) }, (_, index) => {
		const part = data.subarray(index * most, (index + 1) * most);
		const head = [Buffer.from("RIFF"), little(format.length + part.length + 12), Buffer.from("WAVE"), format, Buffer.from("data"), little(part.length)];
		return { bytes: Buffer.concat([...head, part]), begin: (index * most) / perSecond };
	});
}

function little(value: number): Uint8Array {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

function fitting(pieces: readonly Piece[], bytesMax: number): readonly Piece[] | null {
	const isRight = pieces.length > 0 && pieces.length <= piecesMax && pieces.every(({ bytes }) => bytes.length <= bytesMax);
	return isRight ? pieces : null;
}

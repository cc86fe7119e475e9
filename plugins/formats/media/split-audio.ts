/** Splits audio that is too large for a service. It is split between frames, without decoding. Works for MP3 and WAV. */

import { type ByteView, byteView } from "./byte-view.ts";

export interface Piece {
	readonly bytes: Uint8Array;
	/** Seconds from the start of the recording. */
	readonly begin: number;
}

/** With more parts, transcription would take about a day. */
const piecesMax = 100;

/** Null if it is not MPEG layer III, or would give too many parts. */
export function splitMp3(bytes: Uint8Array, bytesMax: number): readonly Piece[] | null {
	const view = byteView(bytes);
	const pieces: Piece[] = [];
	let partStart: number | null = null;
	let beginSeconds = 0;
	let seconds = 0;
	let end = 0;
	for (let offset = 0; offset + 4 <= view.length; ) {
		const frame = frameAt(view, offset);
		if (frame === null) {
			offset++; // a tag, or damaged bytes
			continue;
		}
		partStart ??= offset;
		if (offset + frame.size - partStart > bytesMax && end > partStart) {
			pieces.push({ bytes: view.slice(partStart, end), begin: beginSeconds });
			partStart = offset;
			beginSeconds = seconds;
		}
		seconds += frame.seconds;
		offset += frame.size;
		end = Math.min(offset, view.length);
	}
	if (partStart !== null) pieces.push({ bytes: view.slice(partStart, end), begin: beginSeconds });
	return acceptedPieces(pieces, bytesMax);
}

const kilobitsByVersion = {
	mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const sampleRates = [44_100, 48_000, 32_000] as const;

/** The frame at an offset, if another frame or the end follows. Its eleven sync bits alone are not enough, since they also occur in data. */
function frameAt(view: ByteView, offset: number): { readonly size: number; readonly seconds: number } | null {
	const frame = headerAt(view, offset);
	if (frame === null) return null;
	const next = offset + frame.size;
	return next + 4 > view.length || headerAt(view, next) !== null ? frame : null;
}

function headerAt(view: ByteView, offset: number): { readonly size: number; readonly seconds: number } | null {
	if (view.u8(offset) !== 0xff) return null;
	const header = view.u8(offset + 1);
	const version = (header >> 3) & 3; // 3 for MPEG-1, 2 for MPEG-2, 0 for MPEG-2.5
	if ((header & 0xe6) !== 0xe2 || version === 1) return null;
	const rateByte = view.u8(offset + 2);
	const rate = (sampleRates[(rateByte >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
	const kilobits = (version === 3 ? kilobitsByVersion.mpeg1 : kilobitsByVersion.mpeg2)[rateByte >> 4] ?? 0;
	if (rate === 0 || kilobits === 0) return null;
	const samples = version === 3 ? 1152 : 576;
	return { size: Math.floor((samples * kilobits * 125) / rate) + ((rateByte >> 1) & 1), seconds: samples / rate };
}

/** Null if it is not WAV with a format chunk, or would give too many parts. */
export function splitWave(bytes: Uint8Array, bytesMax: number): readonly Piece[] | null {
	const view = byteView(bytes);
	let format: Uint8Array | null = null;
	for (let offset = 12; offset + 8 <= view.length; ) {
		const size = view.u32Little(offset + 4);
		if (view.name(offset) === "fmt " && size >= 16 && size < 1_000) format = view.slice(offset, offset + 8 + size);
		if (view.name(offset) === "data")
			return format === null ? null : acceptedPieces(wavePieces(view.slice(offset + 8, offset + 8 + size), format, bytesMax), bytesMax);
		offset += 8 + size + (size % 2);
	}
	return null;
}

function wavePieces(data: Uint8Array, format: Uint8Array, bytesMax: number): readonly Piece[] {
	const formatView = byteView(format);
	const bytesPerSecond = formatView.u32Little(16);
	const frameBytes = formatView.u8(20) + formatView.u8(21) * 256;
	const bytesPerPiece = Math.floor((bytesMax - format.length - 20) / Math.max(1, frameBytes)) * frameBytes;
	if (bytesPerSecond === 0 || bytesPerPiece <= 0 || data.length / bytesPerPiece > piecesMax) return [];
	return Array.from({ length: Math.ceil(data.length / bytesPerPiece) }, (_, index) => {
		const part = data.subarray(index * bytesPerPiece, (index + 1) * bytesPerPiece);
		const header = [
			Buffer.from("RIFF"),
			littleEndian32(format.length + part.length + 12),
			Buffer.from("WAVE"),
			format,
			Buffer.from("data"),
			littleEndian32(part.length),
		];
		return { bytes: Buffer.concat([...header, part]), begin: (index * bytesPerPiece) / bytesPerSecond };
	});
}

function littleEndian32(value: number): Uint8Array {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

function acceptedPieces(pieces: readonly Piece[], bytesMax: number): readonly Piece[] | null {
	const isAccepted = pieces.length > 0 && pieces.length <= piecesMax && pieces.every(({ bytes }) => bytes.length <= bytesMax);
	return isAccepted ? pieces : null;
}

/** Prepares the audio that is sent to a transcription service: only the audio track of a video, and too large files in parts. */

import { type MediaType, ServiceError } from "cairn-memory";
import { audioOfMatroska } from "./matroska/audio-of-matroska.ts";
import { audioOfMp4 } from "./mp4/audio-of-mp4.ts";
import type { ContainerFormat } from "./read-recording.ts";
import { type Piece, splitMp3, splitWave } from "./split-audio.ts";

export interface AudioPart extends Piece {
	readonly mediaType: MediaType;
}

/** Null if the file is to be sent unchanged: it needs no splitting, or cannot be split. */
export function audioPartsOf(bytes: Uint8Array, format: ContainerFormat, bytesMax: number): readonly AudioPart[] | null {
	try {
		if (format === "mp4") return singlePart(audioOfMp4(bytes), "audio/mp4");
		if (format === "matroska") {
			const audio = audioOfMatroska(bytes);
			return audio === null ? null : singlePart(audio.bytes, audio.mediaType);
		}
		if (bytes.byteLength <= bytesMax) return null;
		if (format === "mp3") return toParts(splitMp3(bytes, bytesMax), "audio/mpeg");
		return format === "wave" ? toParts(splitWave(bytes, bytesMax), "audio/wav") : null;
	} catch (thrown) {
		if (thrown instanceof ServiceError) return null;
		throw thrown;
	}
}

function singlePart(bytes: Uint8Array | null, mediaType: MediaType): readonly AudioPart[] | null {
	return bytes === null ? null : [{ bytes, mediaType, begin: 0 }];
}

function toParts(pieces: readonly Piece[] | null, mediaType: MediaType): readonly AudioPart[] | null {
	return pieces?.map((piece) => ({ ...piece, mediaType })) ?? null;
}

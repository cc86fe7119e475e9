/** The audio that is sent to a transcription service: only the audio track of a video, and parts of what is too long. */

import { type MediaType, ServiceError } from "cairn-memory";
import { audioOfMatroska } from "./matroska/audio-of-matroska.ts";
import { audioOfMp4 } from "./mp4/audio-of-mp4.ts";
import type { ContainerFormat } from "./read-recording.ts";
import { type Piece, splitMp3, splitWave } from "./split-audio.ts";

export interface AudioPart extends Piece {
	readonly mediaType: MediaType;
}

/** Null where the file is sent as it is, also because it cannot be split. */
export function audioPartsOf(bytes: Uint8Array, form: ContainerFormat, bytesMax: number): readonly AudioPart[] | null {
	try {
		if (form === "mp4") return whole(audioOfMp4(bytes), "audio/mp4");
		if (form === "matroska") {
			const sound = audioOfMatroska(bytes);
			return sound === null ? null : whole(sound.bytes, sound.mediaType);
		}
		if (bytes.byteLength <= bytesMax) return null;
		if (form === "mp3") return pieces(splitMp3(bytes, bytesMax), "audio/mpeg");
		return form === "wave" ? pieces(splitWave(bytes, bytesMax), "audio/wav") : null;
	} catch (thrown) {
		if (thrown instanceof ServiceError) return null;
		throw thrown;
	}
}

function whole(bytes: Uint8Array | null, mediaType: MediaType): readonly AudioPart[] | null {
	return bytes === null ? null : [{ bytes, mediaType, begin: 0 }];
}

function pieces(found: readonly Piece[] | null, mediaType: MediaType): readonly AudioPart[] | null {
	return found?.map((piece) => ({ ...piece, mediaType })) ?? null;
}

/** What of a recording is sent to a service: of a film the sound alone, and of what is too long pieces. */

import { type MediaType, ServiceError } from "cairn-memory";
import { soundOfMatroska } from "./matroska/sound-of-matroska.ts";
import { soundOfMp4 } from "./mp4/sound-of-mp4.ts";
import type { Form } from "./read-recording.ts";
import { type Piece, splitMp3, splitWave } from "./split-sound.ts";

export interface Sound extends Piece {
	readonly mediaType: MediaType;
}

/** Null for the file as it is. One too odd to be taken apart is heard as it is. */
export function soundsToHear(bytes: Uint8Array, form: Form, bytesMax: number): readonly Sound[] | null {
	try {
		if (form === "mp4") return whole(soundOfMp4(bytes), "audio/mp4");
		if (form === "matroska") {
			const sound = soundOfMatroska(bytes);
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

function whole(bytes: Uint8Array | null, mediaType: MediaType): readonly Sound[] | null {
	return bytes === null ? null : [{ bytes, mediaType, begin: 0 }];
}

function pieces(found: readonly Piece[] | null, mediaType: MediaType): readonly Sound[] | null {
	return found?.map((piece) => ({ ...piece, mediaType })) ?? null;
}

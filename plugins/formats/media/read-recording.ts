/** Any recording → what can be told of it without listening. */

import type { Chapter } from "./cue.ts";
import { readMatroska } from "./matroska/read-matroska.ts";
import { readMp4 } from "./mp4/read-mp4.ts";
import { noTags, type Recording, type Tags } from "./recording.ts";
import { readId3 } from "./tags/id3.ts";
import { readRiff } from "./tags/riff.ts";
import { flacComments, oggComments } from "./tags/vorbis-comments.ts";

export type Form = "mp4" | "matroska" | "mp3" | "flac" | "ogg" | "wave" | "other-audio" | "other-video";

export function readRecording(bytes: Uint8Array, form: Form): Recording {
	switch (form) {
		case "mp4":
			return readMp4(bytes);
		case "matroska":
			return readMatroska(bytes);
		case "mp3": {
			const label = readId3(bytes);
			return plain("audio", label?.tags, label?.chapters, label?.language);
		}
		case "flac": {
			const comments = flacComments(bytes);
			return plain("audio", comments?.tags, comments?.chapters);
		}
		case "ogg": {
			const comments = oggComments(bytes);
			return plain("audio", comments?.tags, comments?.chapters);
		}
		case "wave":
			return plain("audio", readRiff(bytes));
		case "other-audio":
			return plain("audio");
		case "other-video":
			return plain("video");
	}
}

function plain(kind: Recording["kind"], tags: Tags = noTags, chapters: readonly Chapter[] = [], language: string | null = null): Recording {
	return { kind, hasSound: true, language, tracks: [], tags, chapters, damage: null };
}

/** Reads the subtitles and metadata of a recording in any supported container. */

import { readMatroska } from "./matroska/read-matroska.ts";
import { readMp4 } from "./mp4/read-mp4.ts";
import { noTags, type Recording } from "./recording.ts";
import { readTags } from "./tags/read-tags.ts";

export type ContainerFormat = "mp4" | "matroska" | "mp3" | "flac" | "ogg" | "wave" | "other-audio" | "other-video";

const mediaTypes: Readonly<Partial<Record<ContainerFormat, string>>> = { mp3: "audio/mpeg", flac: "audio/flac", ogg: "audio/ogg", wave: "audio/wav" };

export async function readRecording(bytes: Uint8Array, format: ContainerFormat): Promise<Recording> {
	if (format === "mp4") return readMp4(bytes);
	if (format === "matroska") return readMatroska(bytes);
	const recording = { hasAudio: true, language: null, tracks: [], tags: noTags, chapters: [], damage: null };
	return format === "other-video" ? { ...recording, kind: "video" } : { ...recording, kind: "audio", ...(await readTags(bytes, mediaTypes[format])) };
}

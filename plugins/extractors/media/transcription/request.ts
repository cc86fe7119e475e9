/** Encodes a recording as the form data that `/audio/transcriptions` expects. */

import type { MediaType } from "cairn-memory";

export interface AudioFile {
	readonly bytes: Uint8Array;
	readonly mediaType: MediaType;
}

export interface RequestBody {
	readonly contentType: string;
	readonly body: Uint8Array;
}

/** File extensions, by which services recognise the format. The file's real name is private and is not sent. */
const extensions: Readonly<Record<MediaType, string>> = {
	"audio/mpeg": "mp3",
	"audio/mp4": "m4a",
	"audio/wav": "wav",
	"audio/flac": "flac",
	"audio/ogg": "ogg",
	"audio/webm": "webm",
	"audio/x-matroska": "mka",
	"audio/aac": "aac",
	"video/mp4": "mp4",
	"video/quicktime": "mov",
	"video/webm": "webm",
	"video/x-matroska": "mkv",
	"video/x-msvideo": "avi",
	"video/mpeg": "mpeg",
	"video/ogg": "ogv",
};

/** @param detail responses have times with `verbose_json`; some models only support `json` */
export async function requestBody({ bytes, mediaType }: AudioFile, model: string, detail: "verbose_json" | "json"): Promise<RequestBody> {
	const form = new FormData();
	form.append("model", model);
	form.append("response_format", detail);
	if (detail === "verbose_json") form.append("timestamp_granularities[]", "segment");
	form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType }), `recording.${extensions[mediaType] ?? "bin"}`);
	const encoded = new Response(form);
	return { contentType: encoded.headers.get("content-type") ?? "", body: new Uint8Array(await encoded.arrayBuffer()) };
}

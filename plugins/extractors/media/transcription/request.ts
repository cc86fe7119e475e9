/** A recording as the form that `/audio/transcriptions` takes. */

import type { MediaType } from "cairn-memory";

export interface Spoken {
	readonly bytes: Uint8Array;
	readonly mediaType: MediaType;
}

export interface Form {
	readonly contentType: string;
	readonly body: Uint8Array;
}

/** Services recognise the format by the file extension. The file's own name is private and not sent. */
const endings: Readonly<Record<MediaType, string>> = {
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

/** @param detail `verbose_json` has times; models that do not know it take `json`. */
export async function formOf({ bytes, mediaType }: Spoken, model: string, detail: "verbose_json" | "json"): Promise<Form> {
	const form = new FormData();
	form.append("model", model);
	form.append("response_format", detail);
	if (detail === "verbose_json") form.append("timestamp_granularities[]", "segment");
	form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType }), `recording.${endings[mediaType] ?? "bin"}`);
	const packed = new Response(form);
	return { contentType: packed.headers.get("content-type") ?? "", body: new Uint8Array(await packed.arrayBuffer()) };
}

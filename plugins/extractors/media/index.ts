/** Reads subtitle files, and the subtitles or speech of video and audio. It is one plugin because files and tracks have the same subtitle formats. */

import { definePlugin, type MediaType } from "cairn-memory";
import { subtitleSignatures } from "../../formats/media/signatures.ts";
import type { SubtitlesInput } from "../../formats/media/subtitles/engine.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";
import { options, startLocalModel } from "./options.ts";
import { recordingsOf } from "./transcribe-recording.ts";
import { configure, settings } from "./transcription-settings.ts";

const formats: Readonly<Record<MediaType, SubtitlesInput["format"]>> = {
	"application/x-subrip": "timed",
	"text/vtt": "timed",
	"text/x-ssa": "ass",
	"application/ttml+xml": "ttml",
	"text/x-lrc": "lrc",
	"text/x-sbv": "sbv",
};

export default definePlugin({
	name: "extractor-media",
	contract: 1,
	settings,
	configure,
	options,
	async start({ transcription: service, listening }, host) {
		const localModel = service === null ? await startLocalModel(listening, host) : null;
		const subtitles = extractorOf<SubtitlesInput>(host, {
			name: "subtitles",
			signatures: subtitleSignatures,
			engine: new URL("../../formats/media/subtitles/engine.ts", import.meta.url),
			input: async (source) => ({ content: await contentOf(source), format: formats[source.mediaType] ?? "timed", fileName: source.fileName }),
		});
		return {
			extractor: [subtitles, recordingsOf({ service, localModel }, host)],
			...(localModel !== null && { stop: () => localModel.process.close() }),
		};
	},
});

/** Subtitles, and what is said in video and audio. One plugin, because files and tracks hold the same kinds of subtitles. */

import { definePlugin, type MediaType } from "cairn-memory";
import { subtitleSignatures } from "../../formats/media/signatures.ts";
import type { SubtitlesInput } from "../../formats/media/subtitles/engine.ts";
import { contentOf, extractorOf } from "../read-in-sandbox.ts";
import { recordingsOf } from "./hear.ts";
import { options, startListener } from "./options.ts";
import { configure, settings } from "./said-of-listening.ts";

const forms: Readonly<Record<MediaType, SubtitlesInput["form"]>> = {
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
		const listener = service === null ? await startListener(listening, host) : null;
		const subtitles = extractorOf<SubtitlesInput>(host, {
			name: "subtitles",
			signatures: subtitleSignatures,
			engine: new URL("../../formats/media/subtitles/engine.ts", import.meta.url),
			input: async (source) => ({ content: await contentOf(source), form: forms[source.mediaType] ?? "timed", fileName: source.fileName }),
		});
		return {
			extractor: [subtitles, recordingsOf({ service, listener }, host)],
			...(listener !== null && { stop: () => listener.process.close() }),
		};
	},
});

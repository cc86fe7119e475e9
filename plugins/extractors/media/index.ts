/** Subtitles, and what is said in video and audio. One plugin, because files and tracks hold the same kinds of subtitles. */

import { definePlugin, type Extractor, type MediaType } from "cairn";
import { z } from "zod";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import type { SubtitlesInput } from "./subtitles/engine.ts";

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
	options: z.strictObject({}),
	start(_options, host) {
		const subtitles: Extractor = {
			name: "subtitles",
			accepts: Object.keys(forms) as readonly MediaType[],
			async extract(source, step) {
				const input: SubtitlesInput = { content: await contentOf(source), form: forms[source.mediaType] ?? "timed", fileName: source.fileName };
				return await readInSandbox({ engine: new URL("./subtitles/engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		return { extractor: [subtitles] };
	},
});

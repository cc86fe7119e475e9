/** Subtitles, and what is said in video and audio. One plugin, because files and tracks hold the same kinds of subtitles. */

import { definePlugin, type Extractor, type Host, type MediaType, ServiceError } from "cairn-memory";
import { z } from "zod";
import { hasRuntime, localOptions } from "../../local-models/local-options.ts";
import { contentOf, readInSandbox, textBounds } from "../read-in-sandbox.ts";
import { hear, recordingTypes } from "./hear.ts";
import type { SubtitlesInput } from "./subtitles/engine.ts";
import { findWhisper } from "./whisper/find-whisper.ts";
import type { Listener } from "./whisper/hear-locally.ts";

const forms: Readonly<Record<MediaType, SubtitlesInput["form"]>> = {
	"application/x-subrip": "timed",
	"text/vtt": "timed",
	"text/x-ssa": "ass",
	"application/ttml+xml": "ttml",
	"text/x-lrc": "lrc",
	"text/x-sbv": "sbv",
};

/** An OpenAI-compatible service. Without one only recordings with subtitles or lyrics inside can be read. */
const service = z.strictObject({
	url: z.url({ protocol: /^https?$/ }),
	key: z.string().min(1).nullable().default(null),
	model: z.string().min(1).default("whisper-1"),
	/** What OpenAI takes, and most who speak like it. */
	bytesMax: z
		.number()
		.int()
		.positive()
		.default(25 * 1024 * 1024),
	/** An hour of speech takes a slow machine that long. */
	timeoutMs: z
		.number()
		.int()
		.positive()
		.default(30 * 60_000),
});

/** A Whisper model on this machine, where no service is named. */
const listening = localOptions
	.extend({
		/** An hour of speech on a slow machine. */
		timeoutMs: z
			.number()
			.int()
			.positive()
			.default(2 * 60 * 60_000),
	})
	.prefault({});

export default definePlugin({
	name: "extractor-media",
	contract: 1,
	options: z.strictObject({ transcription: service.nullable().default(null), listening }),
	async start({ transcription, listening }, host) {
		const listener = transcription === null ? await startListener(listening, host) : null;
		const subtitles: Extractor = {
			name: "subtitles",
			accepts: Object.keys(forms) as readonly MediaType[],
			async extract(source, step) {
				const input: SubtitlesInput = { content: await contentOf(source), form: forms[source.mediaType] ?? "timed", fileName: source.fileName };
				return await readInSandbox({ engine: new URL("./subtitles/engine.ts", import.meta.url), input, ...textBounds }, host, step);
			},
		};
		const recordings: Extractor = {
			name: "recordings",
			accepts: recordingTypes,
			extract: (source, step) => hear(source, { service: transcription, listener }, host, step),
		};
		return { extractor: [subtitles, recordings], ...(listener !== null && { stop: () => listener.process.close() }) };
	},
});

/** Null where there is no model, or nothing to run it in. */
async function startListener({ folder, idleMs, ...bounds }: z.output<typeof listening>, host: Host): Promise<Listener | null> {
	try {
		const model = folder === undefined ? null : await findWhisper(folder);
		return model === null || !hasRuntime([model], host.log) ? null : { model, process: host.ownProcess({ idleMs }), ...bounds };
	} catch (thrown) {
		if (!(thrown instanceof ServiceError)) throw thrown;
		host.log("warn", "a model is left out", { why: thrown.message });
		return null;
	}
}

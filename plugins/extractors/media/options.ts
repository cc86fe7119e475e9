/** Options for transcribing recordings that contain no text: a service, or a local Whisper model. */

import { type Host, ServiceError } from "cairn-memory";
import { z } from "zod";
import { hasRuntime, localOptions } from "../../local-models/local-options.ts";
import { findWhisper } from "./whisper/find-whisper.ts";
import type { LocalWhisper } from "./whisper/transcribe-locally.ts";

/** An OpenAI-compatible service. Without a service or a local model, only recordings that contain subtitles or lyrics can be read. */
const service = z.strictObject({
	url: z.url({ protocol: /^https?$/ }),
	key: z.string().min(1).nullable().default(null),
	model: z.string().min(1).default("whisper-1"),
	/** OpenAI's limit, which most compatible services share. */
	bytesMax: z
		.number()
		.int()
		.positive()
		.default(25 * 1024 * 1024),
	/** Enough for an hour of speech on a slow machine. */
	timeoutMs: z
		.number()
		.int()
		.positive()
		.default(30 * 60_000),
});

/** A Whisper model on this machine, which is used if no service is configured. */
const listening = localOptions
	.extend({
		/** Enough for an hour of speech on a slow machine. */
		timeoutMs: z
			.number()
			.int()
			.positive()
			.default(2 * 60 * 60_000),
	})
	.prefault({});

export const options = z.strictObject({ transcription: service.nullable().default(null), listening });

/** Null if no model or no ONNX runtime is installed. */
export async function startLocalModel({ folder, idleMs, ...bounds }: z.output<typeof listening>, host: Host): Promise<LocalWhisper | null> {
	try {
		const model = folder === undefined ? null : await findWhisper(folder);
		return model === null || !hasRuntime([model], host.log) ? null : { model, process: host.ownProcess({ idleMs }), ...bounds };
	} catch (thrown) {
		if (!(thrown instanceof ServiceError)) throw thrown;
		host.log("warn", "a model was skipped", { why: thrown.message });
		return null;
	}
}

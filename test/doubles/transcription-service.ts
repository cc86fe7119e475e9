/** A transcription service on this machine that speaks as OpenAI's does: real forms, its checks, its errors, and its bad days. */

export interface Heard {
	readonly path: string;
	readonly query: string;
	readonly authorization: string | null;
	readonly model: string | null;
	readonly format: string | null;
	readonly granularities: readonly string[];
	readonly fileName: string;
	readonly fileType: string;
	readonly bytes: Uint8Array;
}

export type Mood = (heard: Heard, count: number) => Response | Promise<Response>;

export interface TranscriptionService {
	/** Base address, without `/audio/transcriptions`. */
	readonly url: string;
	readonly host: string;
	readonly heard: readonly Heard[];
	readonly stop: () => Promise<void>;
}

export function startTranscriptionService(mood: Mood): TranscriptionService {
	const heard: Heard[] = [];
	const server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		idleTimeout: 0,
		fetch: async (request) => {
			const { pathname, search } = new URL(request.url);
			if (request.method !== "POST" || !pathname.endsWith("/v1/audio/transcriptions")) return complaint(404, `Invalid URL (${request.method} ${pathname})`);
			const form = await request.formData();
			const file = form.get("file");
			if (!(file instanceof File)) return complaint(400, "file is required");
			const field = (name: string) => (typeof form.get(name) === "string" ? String(form.get(name)) : null);
			const one: Heard = {
				path: pathname,
				query: search,
				authorization: request.headers.get("authorization"),
				model: field("model"),
				format: field("response_format"),
				granularities: form.getAll("timestamp_granularities[]").map(String),
				fileName: file.name,
				fileType: file.type,
				bytes: new Uint8Array(await file.arrayBuffer()),
			};
			heard.push(one);
			return await mood(one, heard.length);
		},
	});
	return { url: `http://127.0.0.1:${server.port}/v1`, host: `127.0.0.1:${server.port}`, heard, stop: () => server.stop(true) };
}

export function complaint(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Response {
	return Response.json({ error: { message, type: "invalid_request_error", param: null, code: null } }, { status, headers });
}

/** An answer in the long form, as OpenAI's documentation shows it. */
export function verbose(segments: readonly (readonly [start: number, end: number, text: string])[], language = "english"): Response {
	return Response.json({
		task: "transcribe",
		language,
		duration: segments.at(-1)?.[1] ?? 0,
		text: segments.map(([, , text]) => text).join(""),
		segments: segments.map(([start, end, text], id) => ({
			id,
			seek: 0,
			start,
			end,
			text,
			tokens: [50364],
			temperature: 0,
			avg_logprob: -0.28,
			compression_ratio: 1.2,
			no_speech_prob: 0.009,
		})),
		usage: { type: "duration", seconds: 10 },
	});
}

/** Recordings that have to be heard: the form that is sent, every shape of answer, every error, and that subtitles come first. */

import { afterEach, describe, expect, test } from "bun:test";
import type { Extractor, Host } from "cairn-memory";
import mediaPlugin from "../../../../plugins/extractors/media/index.ts";
import { byteView } from "../../../../plugins/formats/media/byte-view.ts";
import { readMatroska } from "../../../../plugins/formats/media/matroska/read-matroska.ts";
import { type Box, boxByPath } from "../../../../plugins/formats/media/mp4/boxes.ts";
import { readMp4 } from "../../../../plugins/formats/media/mp4/read-mp4.ts";
import { samplesInTables } from "../../../../plugins/formats/media/mp4/samples.ts";
import { tracksIn } from "../../../../plugins/formats/media/mp4/track.ts";
import { createGuardedFetch } from "../../../../server/boot/network/guarded-fetch.ts";
import { mp3Of, narrowText, waveOf } from "../../../doubles/audio-files.ts";
import { createHost, createStep, sourceOf, startExtractors } from "../../../doubles/extractor-host.ts";
import { matroskaOf } from "../../../doubles/matroska-file.ts";
import { mp4Of } from "../../../doubles/mp4-file.ts";
import { complaint, type Mood, startTranscriptionService, type TranscriptionService, verbose } from "../../../doubles/transcription-service.ts";
import { read } from "../samples.ts";

const key = "sk-secret-0123456789";
const song = mp3Of([["TIT2", narrowText("Storm")]]);
const open: TranscriptionService[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ stop }) => stop())));

interface Scene {
	readonly service: TranscriptionService;
	readonly extractor: Extractor;
	/** How long it was waited, each time. */
	readonly waits: readonly number[];
	readonly logged: readonly string[];
}

interface Options {
	readonly model?: string;
	readonly key?: string | null;
	readonly bytesMax?: number;
	readonly timeoutMs?: number;
	readonly query?: string;
	readonly isAllowed?: boolean;
}

async function scene(mood: Mood, { query = "", isAllowed = true, ...options }: Options = {}): Promise<Scene> {
	const service = startTranscriptionService(mood);
	open.push(service);
	const waits: number[] = [];
	const logged: string[] = [];
	const log: Host["log"] = (level, message, facts) => void logged.push(JSON.stringify([level, message, facts]));
	const base = createHost();
	const host: Host = {
		...base,
		log,
		world: { ...base.world, sleep: async (ms) => void waits.push(ms) },
		fetch: createGuardedFetch({ allow: isAllowed ? [service.host] : [], log }),
	};
	const [, extractor] = await startExtractors(mediaPlugin({ transcription: { url: `${service.url}/${query}`, key, ...options } }), host);
	if (extractor === undefined) throw new Error("the plugin has no second extractor");
	return { service, extractor, waits, logged };
}

async function failureOf({ extractor }: Scene): Promise<{ readonly code: string; readonly message: string; readonly mayPass: boolean }> {
	const thrown: unknown = await read(extractor, song, "audio/mpeg").catch((error: unknown) => error);
	if (!(thrown instanceof Error) || !("code" in thrown) || !("mayPass" in thrown)) throw new Error(`no failure: ${String(thrown)}`);
	return { code: String(thrown.code), message: thrown.message, mayPass: thrown.mayPass === true };
}

describe("what is sent", () => {
	test("the recording, the model and the wish for times, with the key in its header and no name from home", async () => {
		const { service, extractor, logged } = await scene(() => verbose([[0, 1, " Hello."]]), { model: "whisper-large-v3", query: "?version=7" });
		await read(extractor, song, "audio/mpeg", { fileName: "my divorce.mp3" });
		const [heard] = service.heard;
		expect(heard).toMatchObject({
			path: "/v1/audio/transcriptions",
			query: "?version=7",
			authorization: `Bearer ${key}`,
			model: "whisper-large-v3",
			format: "verbose_json",
			granularities: ["segment"],
			fileName: "recording.mp3",
			fileType: "audio/mpeg",
		});
		expect(heard?.bytes).toEqual(new Uint8Array(song));
		expect(logged.join()).not.toContain(key);
	});

	test("no key, no header", async () => {
		const { service, extractor } = await scene(() => verbose([[0, 1, "Hi"]]), { key: null });
		await read(extractor, song, "audio/mpeg");
		expect(service.heard[0]?.authorization).toBeNull();
	});

	test("of a film only the sound, as a file of its own with all its samples", async () => {
		const words = [
			{ begin: 0, end: 1000, text: "first frame of sound" },
			{ begin: 1000, end: 2500, text: "second frame" },
		];
		const pictures = [{ begin: 0, end: 2500, text: "p".repeat(5_000) }];
		const mp4 = mp4Of({
			tracks: [
				{ handler: "vide", codec: "mp4a", cues: pictures },
				{ handler: "soun", codec: "mp4a", language: "eng", cues: words },
			],
		});
		const mkv = matroskaOf({
			tracks: [
				{ type: "video", codec: "V_VP9", cues: pictures },
				{ type: "audio", codec: "A_OPUS", cues: words },
			],
		});
		const { service, extractor } = await scene(() => verbose([[0, 1, "heard"]]));
		for (const [bytes, mediaType] of [
			[mp4, "video/mp4"],
			[mkv, "video/x-matroska"],
			[
				matroskaOf({
					tracks: [
						{ type: "video", codec: "V_VP9", cues: pictures },
						{ type: "audio", codec: "A_AAC", cues: words },
					],
					isOpen: true,
				}),
				"video/x-matroska",
			],
			[
				mp4Of({
					tracks: [
						{ handler: "vide", codec: "avc1" },
						{ handler: "soun", codec: "mp4a", cues: words },
					],
					isFragmented: true,
				}),
				"video/mp4",
			],
		] as const)
			expect((await read(extractor, bytes, mediaType)).extraction.type).toBe("video");
		const [m4a, webm, mka, fragmented] = service.heard;
		expect(service.heard.map(({ fileName }) => fileName)).toEqual(["recording.m4a", "recording.webm", "recording.mka", "recording.mp4"]);
		for (const heard of [m4a, webm, mka]) expect(Buffer.from(heard?.bytes ?? []).includes("ppp")).toBe(false);
		expect(readMp4(m4a?.bytes ?? new Uint8Array())).toMatchObject({ kind: "audio", hasAudio: true, language: "en", damage: null });
		const view = byteView(m4a?.bytes ?? new Uint8Array());
		const [track] = tracksIn(view, boxByPath(view, { name: "", begin: 0, end: view.length, start: 0 }, "moov") as Box);
		const samples = track === undefined ? [] : samplesInTables(view, track);
		expect(samples.map(({ offset, size, time, duration }) => [view.utf8(offset, offset + size), time, duration])).toEqual([
			["first frame of sound", 0, 1000],
			["second frame", 1000, 1500],
		]);
		for (const heard of [webm, mka]) {
			expect(readMatroska(heard?.bytes ?? new Uint8Array())).toMatchObject({ kind: "audio", hasAudio: true, damage: null });
			for (const { text } of words) expect(Buffer.from(heard?.bytes ?? []).includes(text)).toBe(true);
		}
		expect(Buffer.from(fragmented?.bytes ?? []).includes("second frame")).toBe(true);
	});

	test("of what is too long for the service pieces, whose times count from the start of the whole", async () => {
		// 20 frames of 417 bytes and 26 milliseconds; 8 of them fit.
		const { service, extractor } = await scene(({ fileName }, count) => verbose([[0, 0.1, `${fileName} ${count}.`]]), { bytesMax: 3_400 });
		const { extraction, step } = await read(extractor, song, "audio/mpeg");
		expect(service.heard.map(({ bytes }) => bytes.length)).toEqual([8 * 417, 8 * 417, 4 * 417]);
		expect(extraction.blocks.map(({ text, place }) => [text, place.seconds])).toEqual([
			["recording.mp3 1.", [0, 0.1]],
			["recording.mp3 2.", [0.209, 0.309]],
			["recording.mp3 3.", [0.418, 0.518]],
		]);
		expect(step.reports.at(-1)).toEqual({ done: 3, total: 3, unit: "part" });
		const tone = waveOf({ INAM: "Tone" }, 10_000);
		await read(extractor, tone, "audio/wav");
		const [first, ...rest] = service.heard.slice(3);
		expect([first, ...rest].map((heard) => heard?.bytes.length)).toEqual([3_400, 3_400, 3_332]);
		expect(Buffer.from(first?.bytes.subarray(0, 4) ?? []).toString()).toBe("RIFF");
		expect(Buffer.concat([first, ...rest].map((heard) => heard?.bytes.subarray(44) ?? new Uint8Array()))).toEqual(Buffer.from(tone.subarray(-10_000)));
	});

	test("nothing, where subtitles are inside", async () => {
		const { service, extractor } = await scene(() => verbose([[0, 1, "heard"]]));
		const film = mp4Of({
			tracks: [
				{ handler: "soun", codec: "mp4a" },
				{ handler: "sbtl", codec: "tx3g", cues: [{ begin: 0, end: 1000, text: "written" }] },
			],
		});
		expect((await read(extractor, film, "video/mp4")).extraction.text).toBe("written");
		expect(service.heard).toEqual([]);
	});
});

describe("what is answered", () => {
	test("segments become cues with their seconds, and join what the file tells", async () => {
		const { extractor } = await scene(() =>
			verbose([
				[0, 2.5, " The keeper wrote"],
				[2.5, 4, " every storm."],
				[3.9, 9, " Why?"],
			]),
		);
		const { extraction, step } = await read(extractor, song, "audio/mpeg");
		expect(extraction.blocks.map((block) => [block.kind, block.text, ...(block.place.seconds ?? [])])).toEqual([
			["cue", "The keeper wrote", 0, 2.5],
			["cue", "every storm.", 2.5, 4],
			["cue", "Why?", 3.9, 9],
		]);
		expect([extraction.title, extraction.language, extraction.type, extraction.text]).toEqual(["Storm", "en", "audio", "The keeper wrote every storm. Why?"]);
		expect(step.reports).toEqual([
			{ done: 0, total: 1, unit: "part" },
			{ done: 1, total: 1, unit: "part" },
		]);
	});

	test("words become cues by sentence, breath and speaker, however their blanks are kept", async () => {
		const words = (blank: string) =>
			["One", "two.", "Three", "four", "five"].map((word, index) => ({
				word: blank + word,
				start: index + (index > 3 ? 5 : 0),
				end: index + 0.9 + (index > 3 ? 5 : 0),
			}));
		for (const blank of ["", " "]) {
			const { extractor } = await scene(() => Response.json({ text: "x", words: words(blank) }));
			const { extraction } = await read(extractor, song, "audio/mpeg");
			expect(extraction.blocks.map(({ text, place }) => [text, ...(place.seconds ?? [])])).toEqual([
				["One two.", 0, 1.9],
				["Three four", 2, 3.9],
				["five", 9, 9.9],
			]);
		}
	});

	test("speakers, where the service tells them apart", async () => {
		const { extractor } = await scene(() =>
			Response.json({
				segments: [
					{ start: 0, end: 1, text: "Hi", speaker: "A" },
					{ start: 1, end: 2, text: "Ho", speaker: null },
				],
			}),
		);
		expect((await read(extractor, song, "audio/mpeg")).extraction.text).toBe("**A:** Hi\n\nHo");
	});

	test("text alone is text without places", async () => {
		for (const answer of [
			() => Response.json({ text: "One.\n\nTwo.", language: "xx-unheard-of" }),
			() => new Response("One.\n\nTwo.\n", { headers: { "content-type": "text/plain" } }),
		]) {
			const { extractor } = await scene(answer);
			const { extraction } = await read(extractor, song, "audio/mpeg");
			expect(extraction.blocks.map(({ kind, text }) => [kind, text])).toEqual([
				["paragraph", "One."],
				["paragraph", "Two."],
			]);
		}
	});

	test("a model that has no times is asked again without them, and that is remarked", async () => {
		const { service, extractor } = await scene((heard) =>
			heard.format === "verbose_json"
				? complaint(400, "response_format 'verbose_json' is not compatible with model 'gpt-4o-transcribe'. Use 'json' or 'text' instead.")
				: Response.json({ text: "Said." }),
		);
		const { extraction, step } = await read(extractor, song, "audio/mpeg");
		expect(extraction.text).toBe("Said.");
		expect(step.warnings.map(({ code }) => code)).toEqual(["TIMES_UNKNOWN"]);
		expect(service.heard.map(({ format, granularities }) => [format, granularities.length])).toEqual([
			["verbose_json", 1],
			["json", 0],
		]);
	});

	test("silence is no text", async () => {
		expect(await failureOf(await scene(() => verbose([])))).toMatchObject({ code: "CONTENT_EMPTY" });
	});
});

describe("what goes wrong", () => {
	test.each([
		["a key that is not known", () => complaint(401, `Incorrect API key provided: ${key}`), "TRANSCRIPTION_MISCONFIGURED", false, 1],
		["a model that is not known", () => complaint(404, "The model `x` does not exist"), "TRANSCRIPTION_MISCONFIGURED", false, 1],
		["a model named wrongly", () => complaint(400, "invalid model: x"), "TRANSCRIPTION_MISCONFIGURED", false, 1],
		["a recording it cannot read", () => complaint(400, "Invalid file format."), "TRANSCRIPTION_REFUSED", false, 1],
		["a recording too large for it", () => complaint(413, "Maximum content size limit exceeded"), "TRANSCRIPTION_TOO_LARGE", false, 1],
		["a web page", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "TRANSCRIPTION_MISCONFIGURED", false, 1],
		["a way to elsewhere", () => Response.redirect("http://127.0.0.1:9/", 307), "TRANSCRIPTION_MISCONFIGURED", false, 1],
		["another form", () => Response.json({ segments: [{ begin: 0, words: "x" }] }), "TRANSCRIPTION_MISCONFIGURED", false, 1],
		["no form at all", () => Response.json(["x"]), "TRANSCRIPTION_MISCONFIGURED", false, 1],
		["half an answer", () => new Response('{"text":"cut of', { headers: { "content-type": "application/json" } }), "TRANSCRIPTION_FAILED", true, 1],
		["too much to do", () => complaint(429, "Rate limit reached"), "TRANSCRIPTION_FAILED", true, 3],
		["a fault", () => complaint(500, "CUDA out of memory"), "TRANSCRIPTION_FAILED", true, 3],
	])("%s", async (_, mood, code, mayPass, asked) => {
		const one = await scene(mood);
		const failure = await failureOf(one);
		expect(failure).toMatchObject({ code, mayPass });
		expect(failure.message).not.toContain(key);
		expect(one.logged.join()).not.toContain(key);
		expect(one.service.heard.length).toBe(asked);
	});

	test("a key that the service repeats is not passed on", async () => {
		const { message } = await failureOf(await scene(() => complaint(500, `the key ${key} is tired`)));
		expect(message).toEndWith("status 500, the key … is tired");
	});

	test("what passes is waited for, as long as it says and no longer than a minute", async () => {
		const once =
			(headers: Readonly<Record<string, string>>): Mood =>
			(_, count) =>
				count === 1 ? complaint(503, "busy", headers) : verbose([[0, 1, "Hi"]]);
		const patient = await scene(once({ "retry-after": "7" }));
		expect((await read(patient.extractor, song, "audio/mpeg")).extraction.text).toBe("Hi");
		expect(patient.waits).toEqual([7_000]);
		const dated = await scene(once({ "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }));
		await read(dated.extractor, song, "audio/mpeg");
		expect(dated.waits).toEqual([9_000]);
		const silent = await scene(once({}));
		await read(silent.extractor, song, "audio/mpeg");
		expect(silent.waits).toEqual([1_000]);
		const hourly = await scene(once({ "retry-after": "3600" }));
		expect(await failureOf(hourly)).toMatchObject({ code: "TRANSCRIPTION_FAILED", mayPass: true });
		expect(hourly.waits).toEqual([]);
	});

	test("a service that hangs is given up, and stopped at once by the signal", async () => {
		const never: Mood = () => new Promise(() => undefined);
		expect(await failureOf(await scene(never, { timeoutMs: 80 }))).toMatchObject({ code: "TRANSCRIPTION_FAILED", mayPass: true });
		const { extractor } = await scene(never);
		const stopping = new AbortController();
		setTimeout(() => stopping.abort(new Error("enough")), 50);
		await expect(extractor.extract(sourceOf(song, "audio/mpeg"), createStep(stopping.signal))).rejects.toThrow("enough");
	});

	test("nobody there, a private host that was not named, a recording larger than the limit", async () => {
		const gone = await scene(() => verbose([]));
		await gone.service.stop();
		expect(await failureOf(gone)).toMatchObject({ code: "TRANSCRIPTION_FAILED", mayPass: true });
		expect(await failureOf(await scene(() => verbose([]), { isAllowed: false }))).toMatchObject({ code: "TRANSCRIPTION_MISCONFIGURED" });
		const small = await scene(() => verbose([]), { bytesMax: 400 });
		const { code, message } = await failureOf(small);
		expect([code, message]).toEqual(["TRANSCRIPTION_TOO_LARGE", `the recording has ${song.byteLength} bytes, the transcription service accepts at most 400`]);
		expect(small.service.heard).toEqual([]);
	});
});

test("options that are not right are refused by their name, without their value", async () => {
	for (const [options, name] of [
		[{ transcription: { url: "ftp://x" } }, "url"],
		[{ transcription: { url: "http://x", key: 7 } }, "key"],
		[{ transcription: { url: "http://x", secret: key } }, "secret"],
	] as const) {
		const checked = await mediaPlugin(options as never).options["~standard"].validate(options);
		const said = JSON.stringify(checked.issues);
		expect(said).toContain(name);
		expect(said).not.toContain(key);
	}
});

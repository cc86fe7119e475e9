import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Extractor } from "cairn-memory";
import media from "../../../../../plugins/extractors/media/index.ts";
import { findWhisper } from "../../../../../plugins/extractors/media/whisper/find-whisper.ts";
import { logMel } from "../../../../../plugins/extractors/media/whisper/log-mel.ts";
import { largest, nextToken, type Vocabulary } from "../../../../../plugins/extractors/media/whisper/next-token.ts";
import { resample, samplesOf } from "../../../../../plugins/extractors/media/whisper/samples-of.ts";
import { toSegments } from "../../../../../plugins/extractors/media/whisper/transcribe-window.ts";
import { mp3Of } from "../../../../doubles/audio-files.ts";
import { createStep, sourceOf } from "../../../../doubles/extractor-host.ts";
import { createInProcessSandbox } from "../../../../doubles/in-process-sandbox.ts";
import { createProcessHost } from "../../../../doubles/process-host.ts";
import { noise, waveOf, writeWhisper } from "../../../../doubles/whisper-model.ts";

const root = await mkdtemp(join(tmpdir(), "cairn-whisper-"));
const models = join(root, "models");
await writeWhisper(join(models, "whisper-tiny-test"));
const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
	for (const stop of stops) await stop();
	await rm(root, { recursive: true, force: true });
});

async function recordings(folder: string): Promise<Extractor> {
	const plugin = media({ listening: { folder, threads: 1 } });
	const checked = await plugin.options["~standard"].validate(plugin.rawOptions);
	if (checked.issues !== undefined) throw new Error(JSON.stringify(checked.issues));
	const { extractor = [], stop } = await plugin.start(checked.value, { ...createProcessHost(join(root, "host")), sandbox: createInProcessSandbox() });
	if (stop !== undefined) stops.push(stop);
	const found = extractor.find(({ name }) => name === "recordings");
	if (found === undefined) throw new Error("no extractor");
	return found;
}

describe("a recording", () => {
	test("is heard by the model in the models folder, with times and its language", async () => {
		const extractor = await recordings(models);
		const step = createStep();
		const loud = await extractor.extract(sourceOf(waveOf(2, 44_100, 2, noise(0.9)), "audio/wav"), step);
		expect(loud).toMatchObject({ text: expect.stringContaining("Hello storm"), language: "en" });
		expect(loud.blocks.at(-1)).toMatchObject({ text: "Hello storm", place: { seconds: [0, 1] } });
		expect(step.reports.some(({ unit }) => unit === "second")).toBe(true);
		const quiet = await extractor.extract(
			sourceOf(
				waveOf(2, 16_000, 1, () => 0),
				"audio/wav",
			),
			createStep(),
		);
		expect(quiet.text).toContain("Hello harbour");
	});

	test("of more than half a minute is heard window by window, and times go on", async () => {
		const { blocks } = await (await recordings(models)).extract(sourceOf(waveOf(32, 8_000, 1, noise(0.9)), "audio/wav"), createStep());
		const cues = blocks.filter(({ text }) => text === "Hello storm").map(({ place }) => place.seconds);
		expect(cues).toEqual([
			[0, 1],
			[30, 31],
		]);
	});

	test("in MP3 is decoded; in what is not decoded here the way out is told", async () => {
		const extractor = await recordings(models);
		expect((await extractor.extract(sourceOf(mp3Of([]), "audio/mpeg"), createStep())).text).toContain("Hello harbour");
		await expect(extractor.extract(sourceOf(new Uint8Array(2_000).fill(7), "audio/aac"), createStep())).rejects.toMatchObject({
			code: "TRANSCRIPTION_UNAVAILABLE",
		});
	});

	test("that is damaged, or a model that is, are told apart", async () => {
		const extractor = await recordings(models);
		const bytes = waveOf(1, 16_000, 1, () => 0);
		new DataView(bytes.buffer).setUint16(34, 12, true);
		await expect(extractor.extract(sourceOf(bytes, "audio/wav"), createStep())).rejects.toMatchObject({ code: "FILE_BROKEN" });
		const broken = join(root, "broken");
		await writeWhisper(join(broken, "w"));
		await writeFile(join(broken, "w", "onnx", "encoder_model.onnx"), "no graph");
		const failing = (await recordings(broken)).extract(
			sourceOf(
				waveOf(1, 16_000, 1, () => 0),
				"audio/wav",
			),
			createStep(),
		);
		await expect(failing).rejects.toMatchObject({ code: "MODEL_FOLDER_BROKEN" });
	});

	test("without a model is refused as before", async () => {
		expect(await findWhisper(join(root, "nowhere"))).toBe(null);
		const failing = (await recordings(join(root, "nowhere"))).extract(
			sourceOf(
				waveOf(1, 16_000, 1, () => 0),
				"audio/wav",
			),
			createStep(),
		);
		await expect(failing).rejects.toMatchObject({ code: "TRANSCRIPTION_UNAVAILABLE" });
	});
});

describe("sound", () => {
	const tone = (hertz: number, rate: number) => (at: number) => Math.sin((2 * Math.PI * hertz * at) / rate) * 0.9;

	test("of any width and rate becomes one channel of 16,000 samples a second", async () => {
		const samples = await samplesOf(waveOf(1, 44_100, 2, tone(440, 44_100)), "wave");
		expect(samples.length).toBe(16_000);
		const wanted = Float32Array.from({ length: 16_000 }, (_, i) => tone(440, 16_000)(i) * (32_000 / 32_768));
		const worst = Math.max(...samples.slice(100, -100).map((value, i) => Math.abs(value - (wanted[i + 100] ?? 0))));
		expect(worst).toBeLessThan(0.01);
		// What the lower rate cannot carry is gone, and not folded down into it.
		const high = resample(
			Float32Array.from({ length: 44_100 }, (_, i) => tone(15_000, 44_100)(i)),
			44_100,
			16_000,
		);
		expect(Math.max(...high.slice(200, -200).map(Math.abs))).toBeLessThan(0.02);
	});

	test("becomes bands of pitch: silence is even, a tone is in its band, by the formula itself", () => {
		const silence = logMel(new Float32Array(16_000), 80);
		expect([...new Set(silence)]).toEqual([-1.5]);
		const sound = Float32Array.from({ length: 480_000 }, (_, i) => tone(1_000, 16_000)(i));
		const mel = logMel(sound, 80);
		const column = Float32Array.from({ length: 80 }, (_, band) => mel[band * 3_000 + 100] ?? 0);
		// 1,000 Hz is 15 mel of 45.245 at 8,000 Hz: band 15 ÷ (45.245 ÷ 81) - 1.
		expect(Math.abs(largest(column, 0, 80).index - (15 / (45.245 / 81) - 1))).toBeLessThanOrEqual(1);
	});
});

describe("what may be said next", () => {
	const vocabulary: Vocabulary = {
		end: 4,
		start: 5,
		transcribe: 8,
		noTimestamps: 10,
		firstTimestamp: 11,
		noSpeech: 9,
		languages: new Map(),
		suppressed: [3],
		suppressedFirst: [],
	};
	const logitsWith = (...likely: readonly (readonly [token: number, logit: number])[]) => {
		const logits = new Float32Array(162);
		for (const [token, logit] of likely) logits[token] = logit;
		return logits;
	};

	test("words begin with a time, of the first second", () => {
		expect(nextToken(logitsWith([0, 30], [12, 5], [160, 20]), [], vocabulary).token).toBe(12);
	});

	test("after a time come words; after words and a time the next pair or the end", () => {
		expect(nextToken(logitsWith([0, 10], [60, 30]), [11], vocabulary).token).toBe(0);
		expect(nextToken(logitsWith([0, 30], [4, 10]), [11, 0, 60], vocabulary).token).toBe(4);
		expect(nextToken(logitsWith([0, 10], [70, 30]), [11, 0, 60, 60], vocabulary).token).toBe(0);
	});

	test("time never runs backwards, and what is suppressed is never said", () => {
		expect(nextToken(logitsWith([20, 30], [61, 20]), [11, 0, 60, 60, 1], vocabulary).token).toBe(61);
		expect(nextToken(logitsWith([3, 30], [1, 20]), [11], vocabulary).token).toBe(1);
	});

	test("a time is taken when all times together are likelier than any word", () => {
		const many = logitsWith([1, 5], ...Array.from({ length: 100 }, (_, i) => [40 + i, 4] as const));
		expect(nextToken(many, [11, 0], vocabulary).token).toBeGreaterThanOrEqual(40);
	});

	test("what has no end is heard again in the next window", () => {
		const speech = { vocabulary: { firstTimestamp: 11 }, textOf: (tokens: readonly number[]) => tokens.map((token) => ["a", "b", "c"][token] ?? "").join(" ") };
		expect(toSegments([11, 0, 111, 111, 1], speech)).toEqual({ segments: [{ begin: 0, end: 2, text: "a" }], next: 2 });
		expect(toSegments([11, 0, 111], speech)).toEqual({ segments: [{ begin: 0, end: 2, text: "a" }], next: 30 });
		expect(toSegments([11, 0, 1], speech)).toEqual({ segments: [{ begin: 0, end: 30, text: "a b" }], next: 30 });
	});
});

import { describe, expect, test } from "bun:test";
import type { Block, ChunkDraft, Chunker } from "cairn-memory";
import transcript from "../../../plugins/chunkers/transcript.ts";
import { chunkerContract } from "../../contract/chunker-contract.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { plainExtraction, transcriptExtraction } from "../../contract/samples-text.ts";
import { partOf } from "../../contract/start.ts";
import { createStep } from "../../doubles/step.ts";

const start = (): Promise<Chunker> => partOf(transcript(), "chunker");
for (const contractTest of [...pluginContract(transcript), ...chunkerContract(start)]) test(contractTest.name, contractTest.check);

const cue = (speaker: string | null, text: string, seconds: readonly [number, number]): Block => ({
	kind: "cue",
	speaker,
	text,
	headings: [],
	place: { seconds },
});
const day = (text: string): Block => ({ kind: "caption", text, headings: [], place: {} });
const filler = "and so the tide goes on and on for a good while";

async function chunk(blocks: readonly Block[], charactersMax = 2_000): Promise<readonly ChunkDraft[]> {
	return (await start()).chunk({ ...plainExtraction, blocks, text: "" }, { charactersMax }, createStep());
}

describe("transcript", () => {
	test("recognizes cues", async () => {
		const { recognizes } = await start();
		expect(recognizes?.(transcriptExtraction)).toBeTrue();
		expect(recognizes?.(plainExtraction)).toBeFalse();
	});

	test("a speaker's cues are one line; seconds reach from first to last", async () => {
		const [draft] = await chunk([cue("Ada", "The tide", [0, 2]), cue("Ada", "comes twice a day.", [2, 4]), cue("Bo", "Why?", [4.5, 5])]);
		expect(draft?.text).toBe("Ada: The tide comes twice a day.\nBo: Why?");
		expect(draft?.place.seconds).toEqual([0, 5]);
	});

	test("messages take no time, and each is a line of its own", async () => {
		const said = [cue("Ada", "the tide comes twice", [0, 0]), cue("Ada", "no wait, once", [4, 4]), { ...cue("Ada", "twice", [0, 0]), place: {} }];
		expect((await chunk(said))[0]?.text).toBe("Ada: the tide comes twice\nAda: no wait, once\nAda: twice");
	});

	test("captions without speakers become running text", async () => {
		const [draft] = await chunk([cue(null, "The tide comes", [0, 2]), cue(null, "twice a day.", [2, 4])]);
		expect(draft?.text).toBe("The tide comes twice a day.");
	});

	test("a long silence always ends a chunk", async () => {
		const drafts = await chunk([cue("Ada", "Goodbye.", [0, 2]), cue("Ada", "Hello again.", [60, 62])]);
		expect(drafts.map(({ place }) => place.seconds)).toEqual([
			[0, 2],
			[60, 62],
		]);
	});

	test("messages with hours between them share a chunk", async () => {
		const said = [cue("Ada", "the tide comes twice", [0, 0]), cue("Bo", "sure?", [9_000, 9_000])];
		expect((await chunk(said)).map(({ text }) => text)).toEqual(["Ada: the tide comes twice\nBo: sure?"]);
	});

	test("messages of another day begin a new chunk unless the last one is very short", async () => {
		const said = (count: number) => [
			day("2026-03-02"),
			...Array.from({ length: count }, () => cue("Ada", filler, [0, 0])),
			day("2026-03-04"),
			cue("Ada", "later", [180_000, 180_000]),
		];
		expect(await chunk(said(1))).toHaveLength(1);
		const drafts = await chunk(said(9));
		expect(drafts).toHaveLength(2);
		expect(drafts[1]?.text).toBe("2026-03-04\nAda: later");
		expect(drafts[1]?.place.seconds).toEqual([180_000, 180_000]);
	});

	test("a day stands before its first message, and again at the beginning of each chunk of that day", async () => {
		const said = [
			day("2026-03-02"),
			cue("Ada", "early", [0, 0]),
			day("2026-03-03"),
			...Array.from({ length: 30 }, (_, i) => cue("Ada", filler, [90_000 + i, 90_000 + i])),
		];
		const drafts = await chunk(said);
		expect(drafts.length).toBeGreaterThan(1);
		expect(drafts[0]?.text).toStartWith("2026-03-02\nAda: early\n2026-03-03\nAda: ");
		for (const { text, place } of drafts.slice(1)) {
			expect(text).toStartWith("2026-03-03\nAda: ");
			expect(place.seconds?.[0]).toBeGreaterThan(90_000);
		}
	});

	test("a chunk that is full enough ends where the speaker changes", async () => {
		const cues = [...Array.from({ length: 15 }, (_, i) => cue("Ada", filler, [i * 3, i * 3 + 3])), cue("Bo", filler, [45, 48]), cue("Bo", filler, [48, 51])];
		expect((await chunk(cues)).map(({ text }) => text.slice(0, 3))).toEqual(["Ada", "Bo:"]);
	});

	test("a chunk that is full enough ends at a pause", async () => {
		const cues = Array.from({ length: 17 }, (_, i) => cue("Ada", filler, [i * 3 + (i >= 15 ? 2 : 0), i * 3 + 3 + (i >= 15 ? 2 : 0)]));
		expect((await chunk(cues)).map(({ place }) => place.seconds?.[0])).toEqual([0, 47]);
	});
});

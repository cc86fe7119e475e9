import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cosine, type Embedder, type Vector } from "cairn-memory";
import { indexWords } from "cairn-memory/words";
import staticTable from "../../../../plugins/embedders/static/index.ts";
import { embedderContract } from "../../../contract/embedder-contract.ts";
import { pluginContract } from "../../../contract/plugin-contract.ts";
import { quietHost } from "../../../contract/quiet-host.ts";
import { partOf } from "../../../contract/start.ts";
import { createStep } from "../../../doubles/step.ts";
import { toyModel } from "./toy-model.ts";

const start = (): Promise<Embedder> => partOf(staticTable(), "embedder");
for (const contractTest of [...pluginContract(staticTable), ...embedderContract(start)]) test(contractTest.name, contractTest.check);

const embedder = await start();
async function vectorOf(text: string): Promise<Vector> {
	const [vector] = await embedder.embed([text], "document", createStep());
	return vector ?? new Float32Array();
}
async function likeness(a: string, b: string): Promise<number> {
	return cosine(await vectorOf(a), await vectorOf(b));
}

describe("static", () => {
	test("a twin is 1", async () => expect(await likeness("lighthouse keeper", "Lighthouse  KEEPER!")).toBeCloseTo(1, 5));

	test.each([
		["car", "automobile", "harvest"],
		["the doctor", "a physician", "the guitar"],
		["repairing a bicycle", "how to fix your bike", "the parliament voted on the budget"],
		["She has two dogs", "My pets are called Rex and Bella", "The invoice is overdue"],
	])("%p is nearer to %p than to %p, without a word in common", async (text, kin, stranger) => {
		expect(await likeness(text, kin)).toBeGreaterThan((await likeness(text, stranger)) + 0.1);
	});

	test.each(["Chinese 灯塔", "日本の灯台", "ประภาคาร", "маяк", "gen-itgc-4711", "getUserById"])("%s is near itself in a sentence", async (word) => {
		expect(await likeness(word, `${word} 1874`)).toBeGreaterThan(0.5);
	});

	test("an unknown word is near its misspelling and far from another unknown one", async () => {
		expect(await likeness("Kwizzlebrandt", "Kwizzlebrand")).toBeGreaterThan(0.2);
		expect(Math.abs(await likeness("Kwizzlebrandt", "Omphaxarion"))).toBeLessThan(0.35);
	});

	test("a word has the vector of a text of it alone, and tells more the rarer it is", async () => {
		const ofWord = (word: string) => {
			const found = embedder.wordVector?.(indexWords(word)[0] ?? "");
			if (found === undefined) throw new Error("it has no table of words");
			return found;
		};
		expect(cosine(ofWord("harbour").vector, await vectorOf("harbour"))).toBeCloseTo(1, 5);
		expect(ofWord("harbour").weight).toBeGreaterThan(ofWord("thing").weight);
		expect(cosine(ofWord("doctor").vector, ofWord("physician").vector)).toBeGreaterThan(0.3);
	});

	test("a title counts for more than its share of the words", async () => {
		const [title, body] = ["Repairing a bicycle", "The parliament voted on the budget, and the minister spoke about taxes. ".repeat(6)];
		expect(await likeness(title, `${title}\n\n${body}`)).toBeGreaterThan((await likeness(title, `${title}\n${body}`)) + 0.1);
		expect(await likeness(body, `${title}\n\n${body}`)).toBeGreaterThan(0.7);
	});

	test("blank lines and lines without words are no paragraphs", async () => {
		const [one, two] = ["The ferry leaves at five.", "The keeper counts the boats."];
		expect(await likeness(`${one}\n\n${two}`, `\n\n ${one}\n \n\n---\n\t\n${two}\n\n* * *\n`)).toBeCloseTo(1, 5);
		expect(await likeness(`\n\n${one}\n\n`, one)).toBeCloseTo(1, 5);
	});

	test("the empty text has a vector of its own", async () => {
		expect(await likeness("", "  ")).toBeCloseTo(1, 5);
		expect(Math.abs(await likeness("", "lighthouse"))).toBeLessThan(0.4);
	});

	test("stops with its signal", async () => {
		await expect(embedder.embed(["text"], "document", createStep(AbortSignal.abort()))).rejects.toThrow();
	});

	test("lets others on its thread have their turn between many texts", async () => {
		let rung = 0;
		const timer = setInterval(() => rung++, 0);
		await embedder.embed(
			Array.from({ length: 4_000 }, (_, at) => `text number ${at} ${"about the weather ".repeat(50)}`),
			"document",
			createStep(),
		);
		clearInterval(timer);
		expect(rung).toBeGreaterThanOrEqual(4);
	});
});

describe("with a model of one's own", () => {
	let folder = "";
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "cairn-model-"));
		await Bun.write(`${folder}/toy.bin`, toyModel());
		await Bun.write(`${folder}/cut.bin`, toyModel().slice(0, 100));
	});
	afterAll(() => rm(folder, { recursive: true }));
	const open = async (model: string): Promise<Embedder | undefined> => (await staticTable().start({ model }, quietHost())).embedder?.[0];

	test("its vectors are in a space of its own", async () => {
		const own = await open(`${folder}/toy.bin`);
		expect(own?.space.dimensions).toBe(4);
		expect(own?.space.name).not.toBe(embedder.space.name);
	});

	test("a file that is cut off or missing is an error that says so", async () => {
		await expect(open(`${folder}/cut.bin`)).rejects.toMatchObject({ code: "MODEL_FILE_BROKEN", message: expect.stringContaining("checksum") });
		await expect(open(`${folder}/none.bin`)).rejects.toMatchObject({ code: "MODEL_FILE_BROKEN", message: expect.stringContaining("it does not exist") });
	});
});

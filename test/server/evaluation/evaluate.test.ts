import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceError } from "../../../core/errors/fail.ts";
import { asId, type OrganisationId } from "../../../core/model/id.ts";
import { wholeOrganisation } from "../../../core/model/scope.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { compose } from "../../../server/compose.ts";
import { barChart } from "../../../server/evaluation/bar-chart.ts";
import { evaluate, usage } from "../../../server/evaluation/evaluate.ts";
import { fill } from "../../../server/evaluation/fill-store.ts";
import { qualityTables } from "../../../server/evaluation/quality-tables.ts";
import { readSettings } from "../../../server/settings/read-settings.ts";

let folder = "";
const subjects = ["lighthouses", "penguins", "volcanoes", "violins", "glaciers", "compilers"];
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-evaluate-"));
	const documents = subjects.map((subject, i) => ({ _id: `d${i}`, title: "", text: `All that is known about ${subject} stands in this note.` }));
	await writeFile(join(folder, "corpus.jsonl"), lines(documents));
	await writeFile(join(folder, "queries.jsonl"), lines(subjects.map((subject, i) => ({ _id: `q${i}`, text: `tell me of ${subject}` }))));
	await writeFile(join(folder, "qrels.tsv"), `query-id\tcorpus-id\tscore\n${subjects.map((_, i) => `q${i}\td${i}\t1\n`).join("")}`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function noteOn(subject: string): string {
	return Array.from({ length: 6 }, (_, i) => `Part ${i} of the long report looks at ${subject} from the harbour of town ${i}.`).join(" ");
}

async function run(args: readonly string[]): Promise<string> {
	let said = "";
	await evaluate(args, {}, (text) => (said += text), new AbortController().signal);
	return said;
}

test("a collection is asked in every way, and the picture shows the same columns", async () => {
	const plot = join(folder, "plot.svg");
	const said = await run([folder, "--embedder", "hashing", "-k", "3", "--plot", plot]);
	expect(said).toContain("| nDCG@10 | words | hashing dense | hashing fusion |");
	expect(said).toContain("| recall@3 |");
	expect(said).toContain("| 100.0 | 100.0 | 100.0 |");
	const picture = await readFile(plot, "utf8");
	for (const column of ["words", "hashing dense", "hashing fusion"]) expect(picture).toContain(`>${column}</text>`);
});

test("questions are made of the documents in a data folder, the same ones each time", async () => {
	const dataDir = await mkdtemp(join(folder, "data-"));
	const settings = readSettings({ env: { CAIRN_DATA_DIR: dataDir }, flags: [] });
	const { parts, stop } = await compose({ settings, config: {}, world: createWorld({ log: () => undefined }) });
	const id = asId<OrganisationId>("evaluatedAAAAAAAAAAAAA");
	await parts.storage.migrate();
	await parts.storage.accounts.addOrganisation({ id, name: "evaluated", slug: "evaluated", createdAt: new Date() });
	const written = subjects.map((subject) => ({ id: subject, title: "", text: noteOn(subject), group: null }));
	await fill({ name: "own", documents: written, questions: [], relevant: new Map() }, id, parts, new AbortController().signal);
	const { documents } = parts.storage.organisation(id);
	const everything = () => documents.list(wholeOrganisation, ["queued", "done"], { offset: 0, limit: 100, sort: "createdAt", order: "asc" }, false);
	for (const each of (await everything()).documents) await documents.move(each.id, each.revision, ["queued"], "done", new Date());
	await stop();
	const said = await run(["--own", "--data-dir", dataDir, "--embedder", "hashing", "--questions", "4"]);
	expect(said).toContain(`4 questions made from ${subjects.length} documents`);
	expect(said).toContain("| own |");
	expect(await run(["--own", "--data-dir", dataDir, "--embedder", "hashing", "--questions", "4"])).toBe(said);
});

test("without anything to do it says how it is used", async () => {
	expect(await run([])).toBe(usage);
	expect(await run(["--help"])).toBe(usage);
});

test("what cannot be is refused in words", async () => {
	const codeOf = (args: readonly string[]) => run(args).catch((thrown) => (thrown instanceof ServiceError ? thrown.code : thrown));
	expect(await codeOf(["--questions", "none", "--own"])).toBe("INPUT_INVALID");
	expect(await codeOf(["-k", "1000", folder])).toBe("INPUT_INVALID");
	expect(await codeOf(["--nonsense"])).toBe("INPUT_INVALID");
	expect(await codeOf([join(folder, "nowhere")])).toBe("INPUT_INVALID");
	expect(await codeOf(["--own", "--data-dir", join(folder, "nowhere")])).toBe("INPUT_INVALID");
	expect(await codeOf([folder, "--config", join(folder, "no-config.ts")])).toBe("SETTING_INVALID");
	await expect(run([join(folder, "nowhere")])).rejects.toThrow(`there is no folder ${join(folder, "nowhere")}`);
	await expect(run(["--own", "--data-dir", await mkdtemp(join(folder, "empty-")), "--embedder", "hashing"])).rejects.toThrow("there are no documents in");
});

test("several collections have a mean, and a column that was not measured stays empty", () => {
	const quality = (value: number) => ({ ndcg: value, recall: value, reciprocalRank: value });
	const tables = qualityTables(
		["a", "b"],
		[
			{
				name: "one",
				cells: new Map([
					["a", quality(0.5)],
					["b", quality(1)],
				]),
			},
			{ name: "two", cells: new Map([["a", quality(0.25)]]) },
		],
	);
	expect(tables).toContain("| one | 50.0 | 100.0 |");
	expect(tables).toContain("| two | 25.0 |  |");
	expect(tables).toContain("| mean | 37.5 | 100.0 |");
});

test("a picture holds no sign that would end it, and bars stay inside", () => {
	const picture = barChart({ title: "<a & b>", series: ["x"], groups: [{ name: "g", values: [7] }] });
	expect(picture).toContain("&lt;a &amp; b&gt;");
	expect(picture).toContain('height="300"');
	expect(picture).not.toContain("http://www.w3.org/1999/xlink");
});

import { expect, test } from "bun:test";
import { decodeModel } from "../../plugins/embedders/static/model.ts";
import { createPool } from "../../plugins/embedders/static/pool.ts";
import { rootFolder } from "../../scripts/checks.ts";

const folder = `${rootFolder}models/static-en`;
const file = await Bun.file(`${folder}/model.bin`).bytes();
const record: { sha256: string; bytes: number; filtered: boolean; sources: { name: string; licence: string }[] } = await Bun.file(
	`${folder}/model.json`,
).json();

test("the card and the record are those of the file, which has at most 10 MB", async () => {
	expect(file.length).toBe(record.bytes);
	expect(file.length).toBeLessThanOrEqual(10_000_000);
	expect(new Bun.CryptoHasher("sha256").update(file).digest("hex")).toBe(record.sha256);
	const card = await Bun.file(`${folder}/README.md`).text();
	expect(card).toContain(record.sha256);
	for (const { name } of record.sources) expect(card).toContain(`| ${name} |`);
	expect(record.sources.filter(({ licence }) => licence === "unknown")).toEqual([]);
	expect(record.filtered).toBe(true);
});

test("its vectors are those that stand in data folders: another way of cutting words would change them unnoticed", () => {
	const { ofText: pool } = createPool(decodeModel(file, "static-en"));
	const largest = (text: string): readonly string[] =>
		[...pool(text).entries()]
			.sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
			.slice(0, 3)
			.map(([axis, value]) => `${axis}: ${value.toFixed(3)}`);
	expect(largest("The ferry leaves the harbour at five, they're told.")).toMatchInlineSnapshot(`
	  [
	    "46: 0.177",
	    "26: -0.174",
	    "159: -0.172",
	  ]
	`);
	expect(largest("gen-itgc-4711 灯塔 Kwizzlebrandt")).toMatchInlineSnapshot(`
	  [
	    "177: 0.215",
	    "168: -0.163",
	    "45: -0.157",
	  ]
	`);
	expect(largest("Ferries\n\nThe ferry leaves the harbour at five, they're told.")).toMatchInlineSnapshot(`
	  [
	    "20: 0.177",
	    "63: -0.168",
	    "26: -0.166",
	  ]
	`);
});

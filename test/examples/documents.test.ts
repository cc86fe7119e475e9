/** The example documents are what their README says, small, and drawn by the script that is committed beside them. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as mupdf from "mupdf";
import { rootFolder } from "../../scripts/checks.ts";

const folder = join(rootFolder, "examples", "documents");
const drawn = ["handbook.pdf", "letter-scan.pdf", "sign.png"];
const bytesMax = 300_000;
const redrawn = await mkdtemp(join(tmpdir(), "cairn-examples-"));
afterAll(() => rm(redrawn, { recursive: true, force: true }));

test("the README names every file, and every file is small", async () => {
	const names = (await readdir(folder)).filter((name) => name !== "README.md").toSorted();
	const readme = await Bun.file(join(folder, "README.md")).text();
	const listed = [...readme.matchAll(/^\| \[([^\]]+)\]/gm)].map((found) => found[1] ?? "");
	expect(names).toEqual(listed.toSorted());
	for (const name of names) expect(Bun.file(join(folder, name)).size).toBeLessThan(bytesMax);
});

test("the script draws exactly the committed files", async () => {
	const child = Bun.spawn([process.execPath, join(rootFolder, "scripts", "make-examples.ts"), redrawn], { stdio: ["ignore", "ignore", "inherit"] });
	expect(await child.exited).toBe(0);
	for (const name of drawn) {
		const [committed, again] = await Promise.all([Bun.file(join(folder, name)).bytes(), Bun.file(join(redrawn, name)).bytes()]);
		expect(Buffer.compare(committed, again), name).toBe(0);
	}
}, 120_000);

test("the handbook has a text layer on three pages, the letter is a picture without one", async () => {
	const texts = async (name: string) => {
		const document = mupdf.Document.openDocument(await Bun.file(join(folder, name)).bytes(), "application/pdf");
		return Array.from({ length: document.countPages() }, (_, page) => document.loadPage(page).toStructuredText("").asText());
	};
	const handbook = await texts("handbook.pdf");
	expect(handbook).toHaveLength(3);
	expect(handbook[1]).toContain("Pedals");
	expect(handbook[1]).toContain("35 Nm");
	expect(await texts("letter-scan.pdf")).toEqual([""]);
});

test("the price list has forty rows and the chat twenty turns in order of time", async () => {
	const rows = (await Bun.file(join(folder, "prices.csv")).text()).trim().split("\n");
	expect(rows).toHaveLength(41);
	const turns = (await Bun.file(join(folder, "chat.json")).json()) as { role: string; name: string; content: string; timestamp: string }[];
	expect(turns).toHaveLength(20);
	const times = turns.map(({ timestamp }) => Date.parse(timestamp));
	expect(times).toEqual(times.toSorted((a, b) => a - b));
});

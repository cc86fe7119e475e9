import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLines } from "../../../models/train/data/read-lines.ts";

test("lines are read whole, whatever ends them, without the empty ones", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cairn-lines-"));
	try {
		const long = "ü".repeat(100_000);
		await Bun.write(`${folder}/lines.txt`, `one\r\ntwo\n\n${long}\nlast`);
		expect(await Array.fromAsync(readLines(`${folder}/lines.txt`))).toEqual(["one", "two", long, "last"]);
		await Bun.write(`${folder}/broken.xz`, "not packed");
		// Either there is no xz, or it refuses: both are said.
		await expect(Array.fromAsync(readLines(`${folder}/broken.xz`))).rejects.toThrow("xz");
	} finally {
		await rm(folder, { recursive: true });
	}
});

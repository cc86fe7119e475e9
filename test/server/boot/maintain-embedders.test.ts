/** What the settings say, and what the operator has wished since: which of them holds, and what is told of it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "cairn-memory";
import { createEmbedders } from "../../../core/embedding-spaces/embedders.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { readEmbedderRequest, readStatus, writeEmbedderRequest } from "../../../server/boot/embedder-request.ts";
import { createEmbedderMaintenance } from "../../../server/boot/maintain-embedders.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { embedderCommand } from "../../../server/commands/embedder.ts";
import { lettersEmbedder } from "../../doubles/parts.ts";

const world = createWorld({ log: () => undefined });
const other: Embedder = { ...lettersEmbedder, name: "other", space: { ...lettersEmbedder.space, name: "other-1" } };
let dataDir = "";
beforeEach(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "cairn-wish-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function begin(configured: Embedder, storage = ramStorage()) {
	const embedders = createEmbedders([lettersEmbedder, other], configured);
	const use = { embedder: configured.name } as never;
	await createEmbedderMaintenance({ dataDir, use }, { embedders, storage, world }).begin();
	return { used: embedders.active().name, state: await storage.spaces.state(), status: readStatus(dataDir) };
}

test("without a wish the settings hold", async () => {
	const { used, status } = await begin(lettersEmbedder);
	expect(used).toBe("letters");
	expect(status).toMatchObject({ active: "letters", next: null, previous: null, known: ["letters", "other"], configured: "letters", complaint: null });
});

test("a wish outlives a restart, until the settings name another one than then", async () => {
	writeEmbedderRequest(dataDir, { use: "other", over: "letters" });
	expect((await begin(lettersEmbedder)).used).toBe("other");
	expect((await begin(lettersEmbedder)).used).toBe("other");
	const storage = ramStorage();
	await storage.spaces.plan("letters-1", null);
	expect((await begin(lettersEmbedder, storage)).status).toMatchObject({ active: "letters", next: { name: "other", written: 0, share: 0 } });
	expect((await begin(other)).used).toBe("other");
	expect(readEmbedderRequest(dataDir)).toBe(null);
	expect((await begin(lettersEmbedder)).used).toBe("letters");
});

test("a wish for nobody, or one that cannot be read, changes nothing and is told", async () => {
	writeEmbedderRequest(dataDir, { use: "nobody", over: "letters" });
	expect(await begin(lettersEmbedder)).toMatchObject({ used: "letters", status: { complaint: "no embedder is called nobody" } });
	await writeFile(join(dataDir, "embedder", "wish.json"), "{");
	expect(await begin(lettersEmbedder)).toMatchObject({ used: "letters", status: { complaint: null } });
});

test("the command knows whom it may wish for, and gives up waiting for a server that does not run", async () => {
	const lines: string[] = [];
	const options = { dataDir, write: (text: string) => void lines.push(text), everyMs: 1, patienceMs: 20 };
	await expect(embedderCommand([], options)).rejects.toMatchObject({ code: "SETTING_INVALID" });
	await begin(lettersEmbedder);
	expect(await embedderCommand([], options)).toBe(0);
	expect(lines.join("")).toMatch(/searches use +letters/);
	await expect(embedderCommand(["use", "nobody"], options)).rejects.toMatchObject({ code: "PLUGIN_MISSING" });
	await expect(embedderCommand(["dance"], options)).rejects.toMatchObject({ code: "COMMAND_INVALID" });
	expect(await embedderCommand(["use", "other"], options)).toBe(1);
	expect(readEmbedderRequest(dataDir)).toEqual({ use: "other", over: "letters" });
	expect(await embedderCommand(["use", "letters"], options)).toBe(0);
	expect(readEmbedderRequest(dataDir)).toBe(null);
});

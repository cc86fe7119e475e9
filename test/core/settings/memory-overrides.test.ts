/** What settings mean for a document: its chunks' size, and which statements become memories. */

import { describe, expect, test } from "bun:test";
import { changeSettings, chunkCharactersOf, defaultSettings, readMemoryOverrides, readSettings, type SettingsChange } from "../../../core/settings/settings.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { sampleOrganisation } from "../../contract/samples.ts";
import { createTestWorld } from "../../doubles/world.ts";

const world = createTestWorld();
const freshRecords = () => ramStorage().organisation(sampleOrganisation).records;

async function memoryOverrides(change: SettingsChange) {
	const records = freshRecords();
	await changeSettings(change, records, world);
	return readMemoryOverrides(records, world.now());
}

describe("which statements become memories", () => {
	const cases: readonly (readonly [string, SettingsChange, wanted: readonly string[], unwanted: readonly string[]])[] = [
		["without lists all", {}, ["Ada lives in Ulm."], []],
		["what is excluded does not, whatever its endings", { excludeItems: ["salary"] }, ["Ada lives in Ulm."], ["Ada's salaries were raised.", "SALARY: none"]],
		["an item of several words needs all of them", { excludeItems: ["credit card"] }, ["Ada deserves credit."], ["Her credit cards are blue."]],
		["with a list only what touches an item", { includeItems: ["travel", "music"] }, ["Ada travelled to Rome."], ["Ada lives in Ulm."]],
		["what is excluded wins", { includeItems: ["travel"], excludeItems: ["Rome"] }, ["Ada travels to Bonn."], ["Ada travels to Rome."]],
		["a filter that is switched off keeps nothing out", { shouldLLMFilter: false, excludeItems: ["Ulm"], includeItems: ["x"] }, ["Ada lives in Ulm."], []],
		["what is no text does not count", { includeItems: { patterns: ["*.md"] }, excludeItems: [{ path: "Ulm" }, 7, null, ""] }, ["Ada lives in Ulm."], []],
		["scripts without spaces", { excludeItems: ["東京"] }, ["京都に住んでいる"], ["東京に住んでいる"]],
	];
	for (const [name, change, wanted, unwanted] of cases) {
		test(name, async () => {
			const { isWanted } = await memoryOverrides(change);
			expect(wanted.map(isWanted)).toEqual(wanted.map(() => true));
			expect(unwanted.map(isWanted)).toEqual(unwanted.map(() => false));
		});
	}
});

test("a chunk size in tokens is converted to characters, and is left to the chunkers by default", () => {
	const sizes = [{}, { chunkSize: null }, { chunkSize: -1 }, { chunkSize: 512 }].map((change) => chunkCharactersOf({ ...defaultSettings, ...change }));
	expect(sizes).toEqual([null, null, null, 2_048]);
});

test("changes that come at the same time are all kept", async () => {
	const records = freshRecords();
	expect(await readSettings(records, world.now())).toEqual(defaultSettings);
	const changes: readonly SettingsChange[] = [
		{ chunkSize: 64 },
		{ filterPrompt: "a" },
		{ workspacePrompt: "b" },
		{ notionClientId: "c" },
		{ categories: ["d"] },
	];
	await Promise.all(changes.map((change) => changeSettings(change, records, world)));
	expect(await readSettings(records, world.now())).toEqual(Object.assign({}, defaultSettings, ...changes));
});

/** The laws of connectors: a sound connector keeps them all, and each mutant is caught by the laws it names. */

import { expect, test } from "bun:test";
import { connectorMutants } from "../mutants/connectors/index.ts";
import { shelfScene } from "../mutants/connectors/shelf.ts";
import { connectorLaws } from "./connector-laws.ts";

const named = connectorLaws(async () => shelfScene()).map((law) => [law.name, law] as const);

test.each(named)("a sound connector: %s", async (_, law) => {
	await law.check();
});

test.each(connectorMutants().map((mutant) => [mutant.name, mutant] as const))("the mutant that %s is caught", async (_, mutant) => {
	const laws = connectorLaws(mutant.start);
	for (const name of mutant.laws) {
		const law = laws.find((candidate) => candidate.name === name);
		if (law === undefined) throw new Error(`there is no law called "${name}"`);
		await expect(law.check(), name).rejects.toMatchObject({ name: "LawBroken" });
	}
});

test("every law catches a mutant", () => {
	const caught = new Set(connectorMutants().flatMap((mutant) => mutant.laws));
	expect(named.map(([name]) => name).filter((name) => !caught.has(name))).toEqual([]);
});

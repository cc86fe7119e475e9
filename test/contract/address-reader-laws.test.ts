/** The laws of address readers are tried themselves: a good one keeps them all, every broken one is caught by the law it breaks. */

import { describe, expect, test } from "bun:test";
import { addressReaderMutants, goodScene } from "../mutants/address-readers/index.ts";
import { addressReaderLaws } from "./address-reader-laws.ts";
import { LawBroken } from "./law.ts";

const mutants = addressReaderMutants();

describe("a good reader keeps", () => {
	for (const law of addressReaderLaws(goodScene())) test(law.name, law.check);
});

for (const mutant of mutants) {
	test.concurrent(`the mutant that ${mutant.name} is caught`, async () => {
		const laws = addressReaderLaws(mutant.scene);
		for (const name of mutant.laws) {
			const law = laws.find((one) => one.name === name);
			expect(law, `there is no law "${name}"`).toBeDefined();
			expect(await law?.check().catch((thrown: unknown) => thrown)).toBeInstanceOf(LawBroken);
		}
	});
}

test("each law catches a mutant", () => {
	const caught = new Set(mutants.flatMap(({ laws }) => laws));
	expect(addressReaderLaws(goodScene()).filter(({ name }) => !caught.has(name))).toEqual([]);
});

/** More notes than are compared one by one, with the built-in embedder and the limits of a server: what a search finds is held against a comparison with every one. */

import { expect, test } from "bun:test";
import { createWriter } from "../../../../bench/notes.ts";
import type { Vector } from "../../../../core/index.ts";
import { wholeOrganisation } from "../../../../core/stores.ts";
import staticTable from "../../../../plugins/embedders/static/index.ts";
import { partOf } from "../../../contract/start.ts";
import { createStep } from "../../../doubles/step.ts";
import { addChunks, addDocuments, createFixture, organisation, tagged } from "./vector-fixture.ts";

/** Up to 20,000 vectors no index is built. */
const count = 22_000;
const documents = 220;
const asked = 25;
/** What docs/promises.md promises for large sets. */
const shareMin = 0.95;

test("nearly all of the ten nearest are among the first ten, and all of them within a small scope", async () => {
	const fixture = createFixture();
	try {
		const { space, embed } = await partOf(staticTable(), "embedder");
		const writer = createWriter(8);
		// The middle of a note: two sentences or so.
		const texts = Array.from({ length: count }, () => writer.note().content.slice(300, 500));
		const isSmall = (i: number) => i % documents < documents / 20;
		addDocuments(
			fixture.db,
			Array.from({ length: documents }, (_, i) => ({ id: `d${i}`, tags: [isSmall(i) ? "small" : "large"] })),
		);
		const chunks = (await embed(texts, "document", createStep())).map((vector, i) => ({
			id: `c${i}`,
			space: space.name,
			vector,
			document: `d${i % documents}`,
		}));
		addChunks(fixture.db, chunks);
		const vectors = fixture.open();
		await vectors.maintain(new AbortController().signal);
		const index = vectors.index(organisation, space);
		const vectorOf = new Map(chunks.map(({ id, vector }) => [id, vector]));
		const questions = await embed(
			Array.from({ length: asked }, () => writer.question()),
			"query",
			createStep(),
		);
		const shareOf = async (tag: string | null, within: typeof chunks) => {
			let right = 0;
			for (const query of questions) {
				const tenth = Float64Array.from(within, ({ vector }) => dot(query, vector))
					.sort()
					.at(-10);
				const found = await index.nearestChunks(query, tag === null ? wholeOrganisation : tagged(tag), 10);
				right += found.filter(({ id }) => dot(query, vectorOf.get(id) ?? query) >= (tenth ?? 1)).length;
			}
			return right / asked / 10;
		};
		const whole = await shareOf(null, chunks);
		expect(whole).toBeGreaterThanOrEqual(shareMin);
		expect(
			await shareOf(
				"small",
				chunks.filter((_, i) => isSmall(i)),
			),
		).toBe(1);
	} finally {
		await fixture.close();
	}
}, 300_000);

function dot(a: Vector, b: Vector): number {
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
}

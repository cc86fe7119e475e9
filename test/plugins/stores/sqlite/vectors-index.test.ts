/** The index files: right answers from them, and right answers still when a file is damaged, foreign or gone. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OrganisationId, Vector } from "../../../../core/index.ts";
import { wholeOrganisation } from "../../../../core/stores.ts";
import type { Vectors } from "../../../../plugins/stores/sqlite/vectors/vectors.ts";
import {
	addChunks,
	addDocuments,
	bruteForce,
	clusteredVectors,
	createFixture,
	expectNearest,
	type Fixture,
	idsOf,
	type NewChunk,
	organisation,
	recall,
	roundedTo,
	space,
	tagged,
} from "./vector-fixture.ts";

/** Most tests wait for processes that build. */
setDefaultTimeout(30_000);

/** Everything above 500 vectors counts as large, and a restricted scope above 50. */
const limits = { wholeMax: 500, exactMax: 50, tailMin: 200, tailShare: 0.2 };
const never = new AbortController().signal;

function populate(fixture: Fixture, count: number, seed: number, owner = "org-a"): NewChunk[] {
	addDocuments(
		fixture.db,
		Array.from({ length: 10 }, (_, i) => ({ id: `d${i}`, organisation: owner, tags: i === 0 ? ["tenth"] : ["rest"] })),
	);
	const chunks = clusteredVectors(count, seed).map((vector, i) => ({ id: `c${i}`, vector, document: `d${i % 10}`, organisation: owner }));
	addChunks(fixture.db, chunks);
	return chunks;
}

function filesOf(fixture: Fixture): string[] {
	return readdirSync(join(fixture.folder, "indexes")).sort();
}

function fileOf(fixture: Fixture, ending: string): string {
	const name = filesOf(fixture).find((file) => file.endsWith(ending));
	if (name === undefined) throw new Error(`no ${ending} file`);
	return join(fixture.folder, "indexes", name);
}

async function meanRecall(
	vectors: Vectors,
	chunks: readonly NewChunk[],
	tag: string | null = null,
	owner: OrganisationId = organisation,
	queryCount = 20,
): Promise<number> {
	const queries = clusteredVectors(queryCount, 99);
	const within = chunks.filter(({ document }) => tag === null || (document === "d0") === (tag === "tenth"));
	let sum = 0;
	for (const query of queries) {
		const found = await vectors.index(owner, space).nearestChunks(query, tag === null ? wholeOrganisation : tagged(tag), 10);
		expect(found.length).toBe(Math.min(10, within.length));
		const trueScore = (wanted: string) => dot(query, within.find(({ id }) => id === wanted)?.vector);
		for (const { id, score } of found) expect(Math.abs(score - trueScore(id))).toBeLessThanOrEqual(roundedTo);
		sum += recall(
			found.map(({ id }) => ({ score: trueScore(id) })),
			bruteForce(query, within, 10),
		);
	}
	return sum / queries.length;
}

function dot(a: Vector, b: Vector | undefined): number {
	return a.reduce((sum, value, i) => sum + value * (b?.[i] ?? Number.NaN), 0);
}

describe("with an index file", () => {
	let fixture: Fixture;
	beforeEach(() => {
		fixture = createFixture();
	});
	afterEach(() => fixture.close());

	test("finds what brute force finds: unrestricted, in weak scopes, in the tail, after deletions and after the next build", async () => {
		const chunks = populate(fixture, 2000, 1);
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		expect(filesOf(fixture).map((name) => name.replace(/.*\./, ""))).toEqual(["rows", "json"]);
		for (const tag of [null, "rest", "tenth"]) expect(await meanRecall(vectors, chunks, tag)).toBeGreaterThanOrEqual(0.95);

		const tail = clusteredVectors(150, 2).map((vector, i) => ({ id: `t${i}`, vector, document: `d${i % 10}` }));
		addChunks(fixture.db, tail);
		fixture.db.run("DELETE FROM chunks WHERE key % 5 = 0 AND id GLOB 'c*'");
		fixture.db.run("DELETE FROM chunk_vectors WHERE key % 5 = 0 AND chunk GLOB 'c*'");
		const alive = [...chunks.filter((_, i) => (i + 1) % 5 !== 0), ...tail];
		for (const tag of [null, "rest", "tenth"]) expect(await meanRecall(vectors, alive, tag)).toBeGreaterThanOrEqual(0.95);

		const before = filesOf(fixture);
		await vectors.maintain(never);
		expect(filesOf(fixture)).toEqual(before);
		addChunks(
			fixture.db,
			clusteredVectors(300, 3).map((vector, i) => ({ id: `u${i}`, vector, document: "d1" })),
		);
		await vectors.maintain(never);
		expect(filesOf(fixture)).not.toEqual(before);
		expect(filesOf(fixture).length).toBe(2);
		const all = [...alive, ...clusteredVectors(300, 3).map((vector, i) => ({ id: `u${i}`, vector, document: "d1" }))];
		for (const tag of [null, "rest", "tenth"]) expect(await meanRecall(vectors, all, tag)).toBeGreaterThanOrEqual(0.95);

		// A thread that does not build finds the same from the files.
		const reader = fixture.open({ limits, canBuild: false });
		expect(await meanRecall(reader, all)).toBeGreaterThanOrEqual(0.95);
		expect(fixture.lines.filter((line) => line.startsWith("warn"))).toEqual([]);
	});

	test("reaches 3,000 equal vectors and those around them", async () => {
		const chunks = populate(fixture, 1000, 4);
		const same = chunks[5]?.vector ?? new Float32Array(0);
		const twins = Array.from({ length: 3000 }, (_, i) => ({ id: `same-${i}`, vector: same, document: "d1" }));
		addChunks(fixture.db, twins);
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		expect(filesOf(fixture).length).toBe(2);
		const found = await vectors.index(organisation, space).nearestChunks(same, wholeOrganisation, 3001);
		expect(idsOf(found).filter((id) => id.startsWith("same-") || id === "c5").length).toBe(3001);
		expect(await meanRecall(vectors, [...chunks, ...twins])).toBeGreaterThanOrEqual(0.95);
		const few = await vectors.index(organisation, space).nearestChunks(same, wholeOrganisation, 10);
		expect(few.map(({ score }) => score > 0.9999)).toEqual(Array(10).fill(true));
	});

	test("finds a scope that lies far from the query, which no widening reaches", async () => {
		const [query] = clusteredVectors(1, 20);
		if (!query) throw new Error("no vector");
		const chunks = populate(fixture, 3000, 21);
		const far = chunks.toSorted((a, b) => dot(query, b.vector) - dot(query, a.vector)).slice(-80);
		addDocuments(fixture.db, [{ id: "far", tags: ["far"] }]);
		for (const [i, { id }] of far.entries()) fixture.db.run("UPDATE chunks SET document = 'far', position = ? WHERE id = ?", [i, id]);
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		for (const _again of [1, 2]) {
			const found = await vectors.index(organisation, space).nearestChunks(query, tagged("far"), 20);
			expectNearest(found, query, far, 20, roundedTo);
		}
	});

	test("a build that is killed leaves the old index in place, and its rubbish is swept", async () => {
		const chunks = populate(fixture, 1000, 5);
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		const before = filesOf(fixture);
		const more = clusteredVectors(4000, 6).map((vector, i) => ({ id: `m${i}`, vector, document: `d${i % 10}` }));
		addChunks(fixture.db, more);
		const maintenance = vectors.maintain(never);
		const rubbish = () => filesOf(fixture).filter((name) => name.endsWith(".tmp"));
		while (rubbish().length === 0) await Bun.sleep(2);
		const line = fixture.lines.findLast((text) => text.includes("building")) ?? "";
		process.kill(Number(/"process":(\d+)/.exec(line)?.[1]), "SIGKILL");
		await maintenance;
		expect(fixture.lines.filter((text) => text.includes("could not be built")).length).toBe(1);
		expect(filesOf(fixture)).toEqual(before);
		expect(await meanRecall(vectors, [...chunks, ...more])).toBeGreaterThanOrEqual(0.95);
		writeFileSync(join(fixture.folder, "indexes", "chunk-0-0.rows.tmp"), "half");
		const reopened = fixture.open({ limits });
		expect(await meanRecall(reopened, [...chunks, ...more])).toBeGreaterThanOrEqual(0.95);
		await reopened.close();
		expect(filesOf(fixture)).toEqual(before);
	});

	/** Lets the process of a build go on in small steps until it has begun its file, so that it cannot end first. @param builds how many have begun */
	async function haltedWhileWriting(builds: number): Promise<void> {
		const begun = () => fixture.lines.filter((text) => text.includes("building"));
		while (begun().length < builds) await Bun.sleep(1);
		const pid = Number(/"process":(\d+)/.exec(begun().at(-1) ?? "")?.[1]);
		for (process.kill(pid, "SIGSTOP"); !filesOf(fixture).some((name) => name.endsWith(".tmp")); process.kill(pid, "SIGSTOP")) {
			process.kill(pid, "SIGCONT");
			await Bun.sleep(1);
		}
	}

	test("a build ends at once when it is told to, or when the storage closes", async () => {
		populate(fixture, 6000, 7);
		const vectors = fixture.open({ limits });
		const stop = new AbortController();
		const maintenance = vectors.maintain(stop.signal);
		await haltedWhileWriting(1);
		stop.abort();
		await maintenance;
		expect(filesOf(fixture)).toEqual([]);
		const again = vectors.maintain(never);
		await haltedWhileWriting(2);
		await vectors.close();
		await again;
		expect(filesOf(fixture)).toEqual([]);
	});

	test("files of a partition that is gone, or has become small, are removed", async () => {
		populate(fixture, 600, 8);
		populate(fixture, 600, 9, "org-b");
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		expect(filesOf(fixture).length).toBe(4);
		fixture.db.run("DELETE FROM chunk_vectors WHERE organisation = 'org-b'");
		await vectors.maintain(never);
		expect(filesOf(fixture).length).toBe(2);
		fixture.db.run("DELETE FROM chunk_vectors WHERE key % 2 = 0");
		await vectors.maintain(never);
		expect(filesOf(fixture)).toEqual([]);
	});

	test("an index of a later state of the database is not believed after a restore", async () => {
		const chunks = populate(fixture, 1000, 10);
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		await vectors.close();
		// The tables as they might be when a copy was put back and written to: the same keys, other vectors at the end.
		const others = clusteredVectors(20, 11);
		for (const [i, vector] of others.entries()) {
			fixture.db.run("UPDATE chunk_vectors SET vector = ? WHERE key = ?", [new Uint8Array(vector.buffer), 981 + i]);
		}
		const now = chunks.map((chunk, i) => ({ ...chunk, vector: i < 980 ? chunk.vector : (others[i - 980] ?? chunk.vector) }));
		const reopened = fixture.open({ limits });
		expect(await meanRecall(reopened, now)).toBeGreaterThanOrEqual(0.98);
		expect(fixture.lines.some((line) => line.includes("not those of the tables"))).toBe(true);
	});
});

describe("a file that is not what it should be", () => {
	let fixture: Fixture;
	let chunks: NewChunk[];
	let others: NewChunk[];
	let sound: string;

	beforeAll(async () => {
		fixture = createFixture();
		chunks = populate(fixture, 700, 12);
		others = populate(fixture, 700, 13, "org-b");
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		await vectors.close();
		sound = join(fixture.folder, "sound");
		mkdirSync(sound);
		for (const name of filesOf(fixture)) copyFileSync(join(fixture.folder, "indexes", name), join(sound, name));
	});
	afterAll(() => fixture.close());

	beforeEach(() => {
		fixture.lines.length = 0;
		for (const name of filesOf(fixture)) rmSync(join(fixture.folder, "indexes", name));
		for (const name of readdirSync(sound)) copyFileSync(join(sound, name), join(fixture.folder, "indexes", name));
	});

	/** Both organisations answer rightly though something was done to a file; the files that are distrusted are removed. */
	async function stillRight(isNoticed = true): Promise<void> {
		const vectors = fixture.open({ limits });
		expect(await meanRecall(vectors, chunks, null, organisation, 3)).toBeGreaterThanOrEqual(0.95);
		expect(await meanRecall(vectors, others, null, "org-b" as OrganisationId, 3)).toBeGreaterThanOrEqual(0.95);
		expect(fixture.lines.some((line) => line.includes("cannot be used"))).toBe(isNoticed);
		await vectors.close();
	}

	test("the sound files are used", () => stillRight(false));

	for (const ending of [".rows", ".json"]) {
		test(`${ending} is missing, empty, cut short or too long`, async () => {
			const path = fileOf(fixture, ending);
			const bytes = readFileSync(path);
			rmSync(path);
			await stillRight(ending !== ".json");
			for (const damage of [
				() => truncateSync(path, 0),
				() => truncateSync(path, bytes.length >> 1),
				() => writeFileSync(path, Buffer.concat([bytes, bytes])),
			]) {
				restore();
				damage();
				await stillRight();
			}
		});

		test(`${ending} has bits flipped anywhere`, async () => {
			const path = fileOf(fixture, ending);
			const bytes = readFileSync(path);
			for (let i = 0; i < 24; i++) {
				restore();
				const broken = Buffer.from(bytes);
				const offset = Math.floor((i * (bytes.length - 1)) / 23);
				broken[offset] = (broken[offset] ?? 0) ^ (1 << (i % 8));
				writeFileSync(path, broken);
				await stillRight();
			}
		});

		test(`${ending} is another organisation's`, async () => {
			const [mine, theirs] = filesOf(fixture)
				.filter((name) => name.endsWith(ending))
				.map((name) => join(fixture.folder, "indexes", name));
			if (!mine || !theirs) throw new Error("two indexes expected");
			const bytes = readFileSync(mine);
			copyFileSync(theirs, mine);
			writeFileSync(theirs, bytes);
			await stillRight();
		});
	}

	test("the manifest is of a later version, or lies and is sealed again", async () => {
		const path = fileOf(fixture, ".json");
		const honest: Record<string, string | number> = JSON.parse(readFileSync(path, "utf8"));
		const lies: Record<string, string | number>[] = [
			{ version: 1 },
			{ dimensions: 16 },
			{ rows: 699 },
			{ rows: 1400 },
			{ lastKey: 5 },
			{ address: "chunk 5:org-c 32 test-1" },
			{ generation: "../../x" },
		];
		for (const lie of lies) {
			restore();
			const { seal: _, ...manifest } = { ...honest, ...lie };
			const seal = Bun.hash
				.xxHash64(JSON.stringify(Object.values(manifest)))
				.toString(16)
				.padStart(16, "0");
			writeFileSync(path, JSON.stringify({ ...manifest, seal }));
			await stillRight();
		}
		// That the seal above is made as the index makes it: an honest manifest, sealed again, passes.
		restore();
		const { seal: _, ...manifest } = honest;
		expect(
			Bun.hash
				.xxHash64(JSON.stringify(Object.values(manifest)))
				.toString(16)
				.padStart(16, "0"),
		).toBe(String(honest["seal"]));
	});

	test("is removed at once and built anew by the next tending", async () => {
		const path = fileOf(fixture, ".rows");
		const bytes = readFileSync(path);
		bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
		writeFileSync(path, bytes);
		const vectors = fixture.open({ limits });
		await vectors.maintain(never);
		expect(filesOf(fixture).length).toBe(4); // Upkeep does not read whole files: only who uses one does.
		for (const owner of [organisation, "org-b" as OrganisationId])
			await vectors.index(owner, space).nearestChunks(clusteredVectors(1, 14)[0] ?? new Float32Array(0), wholeOrganisation, 1);
		expect(filesOf(fixture).length).toBe(2);
		await vectors.maintain(never);
		expect(filesOf(fixture).length).toBe(4);
		fixture.lines.length = 0;
		await stillRight(false);
	});

	test("is left alone by a thread that only reads", async () => {
		const path = fileOf(fixture, ".rows");
		writeFileSync(path, "no rows");
		const vectors = fixture.open({ limits, canBuild: false });
		expect(await meanRecall(vectors, chunks)).toBeGreaterThanOrEqual(0.98);
		expect(await meanRecall(vectors, others, null, "org-b" as OrganisationId)).toBeGreaterThanOrEqual(0.95);
		expect(existsSync(path)).toBe(true);
		await vectors.close();
	});

	function restore(): void {
		fixture.lines.length = 0;
		for (const name of readdirSync(sound)) copyFileSync(join(sound, name), join(fixture.folder, "indexes", name));
	}
});

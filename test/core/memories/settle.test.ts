/** What somebody has decided about a memory holds however often its document is read, over both storages. */

import { afterEach, describe, expect, test } from "bun:test";
import type { Chunker, MemoryExtractor } from "cairn-memory";
import type { Storage } from "cairn-memory/stores";
import fc from "fast-check";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { openSqlite } from "../../plugins/stores/sqlite/open-sqlite.ts";
import { drawing, type Ground, openGround, us } from "./decided-memories.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0).toReversed()) await close();
});

interface Store {
	readonly storage: Storage;
	readonly reopen: () => Promise<Storage>;
}

const stores: Readonly<Record<"ram" | "sqlite", () => Promise<Store>>> = {
	ram: async () => {
		const storage = ramStorage();
		return { storage, reopen: async () => storage };
	},
	sqlite: async () => {
		const { storage, reopen, dispose } = await openSqlite();
		await storage.migrate();
		closing.push(dispose);
		let current = storage;
		const again = async () => {
			await current.close();
			current = (await reopen?.()) ?? storage;
			return current;
		};
		return { storage, reopen: again };
	},
};

function begin(storage: Storage, overrides: Parameters<typeof openGround>[1] = {}): Ground {
	const ground = openGround(storage, overrides);
	closing.push(ground.close);
	return ground;
}

/** Memory extractors that do something before they answer. */
const doing = (meanwhile: () => Promise<void>, extractors: readonly MemoryExtractor[]): readonly MemoryExtractor[] =>
	extractors.map((inner) => ({
		...inner,
		extract: async (input, step) => {
			const drafts = await inner.extract(input, step);
			await meanwhile();
			return drafts;
		},
	}));

const textsOf = async (ground: Ground) => (await ground.shown()).map(({ text }) => text).toSorted();

describe.each(["ram", "sqlite"] as const)("over %s", (name) => {
	const opened = stores[name];

	test("a memory stays the same one while its document grows", async () => {
		const ground = begin((await opened()).storage);
		await ground.say("chat", ["Ana is tall", "Ben is small"]);
		const before = await ground.shown();
		await ground.say("chat", ["Ana is tall", "Ben is small", "Cleo is old"]);
		expect((await ground.shown()).filter(({ text }) => !text.startsWith("Cleo"))).toEqual([...before]);
		await ground.say("chat", ["Ben is small", "Cleo is old"]);
		expect(await textsOf(ground)).toEqual(["Ben is small", "Cleo is old"]);
	});

	test("what is forgotten stays forgotten, also after a restart, until it is restored", async () => {
		const { storage, reopen } = await opened();
		const first = openGround(storage);
		await first.say("chat", ["Ana is tall", "Ben is small"]);
		const id = await first.forget("Ana is tall");
		await first.say("chat", ["Ana is tall", "Ben is small", "Cleo is old"]);
		expect(await textsOf(first)).toEqual(["Ben is small", "Cleo is old"]);
		await first.close();
		const ground = begin(await reopen());
		await ground.say("chat", ["Ben is small"]);
		await ground.say("chat", ["ana  is TALL.", "Ana is tall", "Ben is small"]);
		expect(await textsOf(ground)).toEqual(["Ben is small"]);
		await ground.restore(id);
		expect(await textsOf(ground)).toEqual(["Ana is tall", "Ben is small"]);
		await ground.say("chat", ["Ana is tall", "Dora is new"]);
		expect((await ground.shown()).find(({ text }) => text === "Ana is tall")?.id).toBe(id);
		await ground.say("chat", ["Dora is new"]);
		expect(await textsOf(ground)).toEqual(["Dora is new"]);
	});

	test("what is corrected stays corrected, and its sources are those of now", async () => {
		const ground = begin((await opened()).storage);
		const document = await ground.say("note", ["Ana is tall", "Ben is small"]);
		const { id } = await ground.correct("Ana is tall", "Ana is very tall");
		await ground.say("note", ["Ana is tall", "Ben is small", "Cleo is old"]);
		expect(await textsOf(ground)).toEqual(["Ana is very tall", "Ben is small", "Cleo is old"]);
		const corrected = (await ground.all()).find((memory) => memory.id === id);
		expect(corrected).toMatchObject({ version: 2, isLatest: true, evidence: [{ document }] });
		await ground.forget("Ana is very tall");
		await ground.say("note", ["Ana is tall", "Cleo is old"]);
		expect(await textsOf(ground)).toEqual(["Cleo is old"]);
	});

	test("an old text does not come back over what has replaced it elsewhere", async () => {
		const ground = begin((await opened()).storage);
		await ground.say("old", ["Ana is tall"]);
		await ground.say("new", ["Ana is small"]);
		await ground.say("old", ["Ana is tall", "Ben is here"]);
		expect(await textsOf(ground)).toEqual(["Ana is small", "Ben is here"]);
		await ground.forget("Ana is small");
		await ground.say("old", ["Ana is tall", "Ben is here", "Cleo is old"]);
		expect(await textsOf(ground)).toEqual(["Ben is here", "Cleo is old"]);
	});

	test("the same said again later is news", async () => {
		const ground = begin((await opened()).storage);
		await ground.say("chat", ["Ana is tall", "Ana is small"]);
		await ground.say("chat", ["Ana is tall", "Ana is small", "Ana is tall"]);
		expect(await ground.shown()).toMatchObject([{ text: "Ana is tall", version: 3 }]);
		await ground.say("chat", ["Ana is tall", "Ana is small", "Ana is tall", "Ben is here"]);
		expect(await ground.shown()).toMatchObject([{ text: "Ana is tall", version: 3 }, { text: "Ben is here" }]);
	});

	test("a document that is deleted and added anew begins anew", async () => {
		const ground = begin((await opened()).storage);
		const id = await ground.say("chat", ["Ana is tall", "Ben is small"]);
		await ground.forget("Ana is tall");
		await ground.correct("Ben is small", "Ben is tiny");
		await ground.service.remove(us, id);
		await ground.say("chat", ["Ana is tall", "Ben is small"]);
		expect(await textsOf(ground)).toEqual(["Ana is tall", "Ben is small"]);
	});

	test("what was forgotten stays so when a document is no longer only searched", async () => {
		const ground = begin((await opened()).storage);
		const id = await ground.say("chat", ["Ana is tall", "Ben is small"]);
		await ground.forget("Ana is tall");
		await ground.service.revise(us, id, { taskType: "superrag" });
		expect(await textsOf(ground)).toEqual([]);
		await ground.service.revise(us, id, { taskType: "memory" });
		await ground.finished(id);
		expect(await textsOf(ground)).toEqual(["Ben is small"]);
	});

	test("a sentence that is told in other words is known by itself", async () => {
		let times = 0;
		const wordings = [
			["lives in Porto", "works at the mill"],
			["has a home in Porto", "is employed at the mill"],
			["resides in Porto", "has a job at the mill"],
		];
		const reworded = drawing((line) => {
			if (!line.startsWith("I ")) return [{ text: line }];
			const said = wordings[times++ % wordings.length] ?? [];
			return said.map((text) => ({ text: `User ${text}` }));
		});
		const ground = begin((await opened()).storage, { memoryExtractors: reworded, memoryLinkers: [] });
		await ground.say("chat", ["I live in Porto and work at the mill"]);
		await ground.forget("User lives in Porto");
		await ground.say("chat", ["I live in Porto and work at the mill", "The mill stands still"]);
		expect(await textsOf(ground)).toEqual(["The mill stands still", "User is employed at the mill"]);
		await ground.correct("User is employed at the mill", "User owns the mill");
		await ground.say("chat", ["The mill stands still", "i live in Porto, and work at the mill"]);
		expect(await textsOf(ground)).toEqual(["The mill stands still", "User owns the mill"]);
	});

	test("what has ended by itself is told anew of another day, and not of the same one", async () => {
		const hourMs = 3_600_000;
		let aheadMs = 0;
		const world = { ...createWorld({ log: () => undefined }), now: () => new Date(Date.now() + aheadMs) };
		let ends = new Date(Date.now() + hourMs);
		const ending = drawing((line) => [line.startsWith("Ana") ? { text: line, forgetAfter: ends } : { text: line }]);
		const { storage } = await opened();
		const ground = begin(storage, { memoryExtractors: ending, memoryLinkers: [], world });
		await ground.say("chat", ["Ana travels", "Ben waits"]);
		aheadMs = 2 * hourMs;
		await storage.maintain(new AbortController().signal);
		await ground.say("chat", ["Ana travels", "Ben waits", "Cleo waits"]);
		expect(await textsOf(ground)).toEqual(["Ben waits", "Cleo waits"]);
		ends = new Date(world.now().getTime() + hourMs);
		await ground.say("chat", ["Ana travels", "Ben waits"]);
		expect(await textsOf(ground)).toEqual(["Ana travels", "Ben waits"]);
	});

	test("what is forgotten while its document is read again stays forgotten", async () => {
		let times = 0;
		let meanwhile = async () => {};
		// Each reading words it differently, so that it is recognised only by its evidence.
		const reworded = drawing((line) => [{ text: line.startsWith("I ") ? `User ${["lives", "dwells"][times++ % 2]} in Porto` : line }]);
		const extractors = doing(() => meanwhile(), reworded);
		const ground = begin((await opened()).storage, { memoryExtractors: extractors, memoryLinkers: [] });
		await ground.say("chat", ["I live in Porto"]);
		meanwhile = async () => {
			meanwhile = async () => {};
			await ground.forget("User lives in Porto");
		};
		await ground.say("chat", ["I live in Porto", "The mill stands still"]);
		expect(await textsOf(ground)).toEqual(["The mill stands still"]);
	});

	test.each(["memory", "superrag"] as const)("a document that becomes one of the task %s while it is read has the memories of it", async (taskType) => {
		const { storage } = await opened();
		const before = taskType === "memory" ? "superrag" : "memory";
		const reading = Promise.withResolvers<void>();
		const gateway = Promise.withResolvers<void>();
		const chunkers = createTestParts(createWorld({ log: () => undefined })).chunkers.map(
			(inner): Chunker => ({
				...inner,
				chunk: async (...given) => {
					reading.resolve();
					await gateway.promise;
					return inner.chunk(...given);
				},
			}),
		);
		const ground = begin(storage, { chunkers, memoryLinkers: [] });
		const content = { kind: "text", text: "Ana is tall", mediaType: "text/plain" } as const;
		const beside = { customId: "chat", containerTags: ["home"], metadata: {}, filepath: null, dreaming: "instant" } as const;
		const { id } = await ground.service.add(us, { content, ...beside, taskType: before });
		await reading.promise;
		await ground.service.revise(us, id, { taskType });
		gateway.resolve();
		await ground.finished(id);
		expect(await textsOf(ground)).toEqual(taskType === "memory" ? ["Ana is tall"] : []);
	});

	test.each(["instant", "dynamic"] as const)("a document (%s) that is deleted and restored while it is read has its memories", async (dreaming) => {
		const { storage } = await opened();
		let meanwhile = async () => {};
		const drawn = doing(
			() => meanwhile(),
			drawing((line) => [{ text: line }]),
		);
		const ground = begin(storage, { memoryExtractors: drawn, memoryLinkers: [] });
		const content = { kind: "text", text: "Ana is tall", mediaType: "text/plain" } as const;
		const beside = { customId: "chat", containerTags: ["home"], metadata: {}, filepath: null, taskType: "memory", dreaming } as const;
		const restored = Promise.withResolvers<void>();
		meanwhile = async () => {
			meanwhile = async () => {};
			await ground.undo(await ground.remove((await ground.service.get(us, "chat")).id));
			restored.resolve();
		};
		const { id } = await ground.service.add(us, { content, ...beside });
		await restored.promise;
		await ground.finished(id);
		expect(await textsOf(ground)).toEqual(["Ana is tall"]);
	});

	test("a document that becomes one that is only searched while its memories are saved has none", async () => {
		const { storage } = await opened();
		let meanwhile = async () => {};
		const memoryLinkers = [
			{
				name: "slow",
				link: async () => {
					await meanwhile();
					return { links: [], duplicateOf: null };
				},
			},
		];
		const ground = begin(storage, { memoryLinkers });
		meanwhile = async () => {
			meanwhile = async () => {};
			await ground.service.revise(us, (await ground.service.get(us, "chat")).id, { taskType: "superrag" });
		};
		await ground.say("chat", ["Ana is tall", "Ben is small"]);
		expect(await textsOf(ground)).toEqual([]);
	});

	test("what a client wrote stays when it is said again that its source is only searched", async () => {
		const ground = begin((await opened()).storage);
		const written = { text: "Ana is tall", isStatic: false, metadata: {}, forgetAfter: null, forgetReason: null };
		const { document } = await ground.memories.create(us, "home", [written], new AbortController().signal);
		await ground.correct("Ana is tall", "Ana is very tall");
		await ground.service.revise(us, document, { taskType: "superrag" });
		expect(await textsOf(ground)).toEqual(["Ana is very tall"]);
	});

	test("the task that is sent with the same text is done, and none that is not sent", async () => {
		const ground = begin((await opened()).storage);
		const content = { kind: "text", text: "Ana is tall", mediaType: "text/plain" } as const;
		const beside = { customId: "chat", containerTags: ["home"], metadata: {}, filepath: null, dreaming: "instant" } as const;
		const send = async (taskType: "memory" | "superrag" | null) => {
			const { id } = await ground.service.add(us, { content, ...beside, taskType });
			await ground.finished(id);
			return textsOf(ground);
		};
		expect([await send(null), await send("superrag"), await send(null), await send("memory"), await send(null)]).toEqual([
			["Ana is tall"],
			[],
			[],
			["Ana is tall"],
			["Ana is tall"],
		]);
	});

	test("an inference that was declined or approved stays so", async () => {
		const inferring = drawing((line) => [{ text: line, isInference: line.startsWith("Probably") }]);
		const ground = begin((await opened()).storage, { memoryExtractors: inferring, memoryLinkers: [] });
		const lines = ["Probably Ana moves", "Probably Ben stays", "Cleo waits"];
		await ground.say("chat", lines);
		const idOf = async (text: string) => (await ground.all()).find((memory) => memory.text === text)?.id ?? "";
		await ground.reviews.review(us, "home", await idOf("Probably Ana moves"), "decline");
		await ground.reviews.review(us, "home", await idOf("Probably Ben stays"), "approve");
		await ground.say("chat", [...lines, "Dora comes"]);
		expect(await textsOf(ground)).toEqual(["Cleo waits", "Dora comes", "Probably Ben stays"]);
		expect((await ground.reviews.pending(us, "home")).total).toBe(0);
		await ground.reviews.review(us, "home", await idOf("Probably Ana moves"), "undo");
		await ground.say("chat", lines);
		expect(await textsOf(ground)).toEqual(["Cleo waits", "Probably Ana moves", "Probably Ben stays"]);
	});
});

type Act = {
	readonly kind: "say" | "join" | "forget" | "correct" | "restore" | "delete" | "undo" | "merge" | "restart";
	readonly document: number;
	readonly line: number;
};

/** What should be shown: for each line of each document what has become of it. */
interface Line {
	isSaid: boolean;
	/** How many of the sentences that lean on it stand behind it. */
	joined: number;
	/** The text of its memory: as the document had it when it was last read without a decision. */
	held: string;
	/** Shown although the text has dropped it, until the document is read again. */
	lingers: boolean;
	corrected: string | null;
	forgotten: string | null;
}

interface Said {
	lines: Line[];
	id: Awaited<ReturnType<Ground["say"]>> | null;
	/** What went last, and by which name it comes back. */
	gone: { readonly removal: string; readonly lines: Line[]; readonly id: Said["id"] } | null;
}

const documents = 2;
const lines = 4;
/** They stand behind every line alike, so nothing can be known by them. */
const leaning = ["She sings well every day.", "It was great."] as const;
const textOf = (document: number, line: number, joined: number) =>
	joined === 0 ? `D${document}L${line} is here` : [`D${document}L${line} is here.`, ...leaning.slice(0, joined)].join(" ");
const unsaid = (): Line => ({ isSaid: false, joined: 0, held: "", lingers: false, corrected: null, forgotten: null });
const fresh = (): Line[] => Array.from({ length: lines }, unsaid);
const isShown = (line: Line) => line.forgotten === null && (line.isSaid || line.lingers || line.corrected !== null);

async function follow(opened: Store, acts: readonly Act[]): Promise<void> {
	const known = Array.from({ length: documents }, (): Said => ({ lines: fresh(), id: null, gone: null }));
	let ground = openGround(opened.storage);
	let tag = "home";
	let changes = 0;
	let before: ReadonlyMap<string, string> = new Map();
	try {
		for (const { kind, document, line } of acts) {
			const said = known[document] ?? { lines: fresh(), id: null, gone: null };
			if (kind === "merge" && known.some(({ id }) => id !== null)) {
				tag = `home-${++changes}`;
				await ground.merge(tag);
			} else if (kind === "restart") {
				await ground.close();
				ground = openGround(await opened.reopen(), {}, tag);
			} else if (kind !== "merge") await act(kind, said, document, line);
			const wanted = known.flatMap((of) => of.lines.flatMap((each) => (isShown(each) ? [each.corrected ?? each.held] : [])));
			const shown = await ground.shown();
			expect(shown.map(({ text }) => text).toSorted()).toEqual(wanted.toSorted());
			const after = new Map(shown.map(({ id, text }) => [text, id]));
			// What nobody has touched is the same memory as before.
			if (kind !== "delete" && kind !== "undo") for (const [text, id] of before) if (after.has(text)) expect(after.get(text)).toBe(id);
			before = after;
		}
	} finally {
		await ground.close();
	}

	async function act(kind: Exclude<Act["kind"], "merge" | "restart">, said: Said, document: number, line: number): Promise<void> {
		const one = said.lines[line] ?? unsaid();
		const text = one.corrected ?? one.held;
		if (kind === "say" || kind === "join") {
			if (kind === "say") one.isSaid = !one.isSaid;
			else one.joined = (one.joined + 1) % (leaning.length + 1);
			const texts = said.lines.flatMap(({ isSaid, joined }, i) => (isSaid ? [textOf(document, i, joined)] : []));
			said.id = await ground.say(`doc-${document}`, [...texts, `reading ${++changes}`]);
			said.gone = null;
			for (const [i, each] of said.lines.entries()) {
				each.lingers = false;
				if (each.forgotten === null && each.corrected === null) each.held = textOf(document, i, each.joined);
			}
		} else if (kind === "forget" && isShown(one)) one.forgotten = await ground.forget(text);
		else if (kind === "correct" && isShown(one)) {
			one.corrected = `D${document}L${line} was ${++changes}`;
			await ground.correct(text, one.corrected);
		} else if (kind === "restore" && one.forgotten !== null) {
			await ground.restore(one.forgotten);
			one.forgotten = null;
			one.lingers = !one.isSaid;
		} else if (kind === "delete" && said.id !== null) {
			said.gone = { removal: await ground.remove(said.id), lines: said.lines, id: said.id };
			said.id = null;
			said.lines = fresh();
		} else if (kind === "undo" && said.gone !== null) {
			await ground.undo(said.gone.removal);
			Object.assign(said, { lines: said.gone.lines, id: said.gone.id, gone: null });
		}
	}
}

const acts = fc.array(
	fc.record({
		kind: fc.constantFrom<Act["kind"]>(
			"say",
			"say",
			"say",
			"say",
			"join",
			"join",
			"join",
			"forget",
			"forget",
			"correct",
			"restore",
			"delete",
			"undo",
			"undo",
			"merge",
			"restart",
		),
		document: fc.nat({ max: documents - 1 }),
		line: fc.nat({ max: lines - 1 }),
	}),
	{ minLength: 5, maxLength: 25 },
);

test.each([
	["ram", 60],
	["sqlite", 5],
] as const)(
	"over %s what is shown is what was said, less what was forgotten, as it was corrected, and what nobody touched keeps its id",
	async (name, numRuns) => {
		await fc.assert(
			fc.asyncProperty(acts, async (sequence) => follow(await stores[name](), sequence)),
			{ seed: 20261122, numRuns },
		);
	},
);

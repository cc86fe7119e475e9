import { afterEach, describe, expect, test } from "bun:test";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Change, type Cursor, type Log, limits, ServiceError } from "cairn-memory";
import folder from "../../../plugins/connectors/folder/index.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { type Documents, kept } from "../../contract/connector-scene.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { createStep } from "../../doubles/step.ts";
import { endure } from "./endure.ts";

const roots: string[] = [];
afterEach(async () => {
	for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true });
});

/** A folder with files by path; a step of time lies between two writes, whatever the clock of the file system. */
interface Tree {
	readonly path: string;
	readonly files: Map<string, string>;
	readonly write: (path: string, text: string) => Promise<void>;
	readonly remove: (path: string) => Promise<void>;
	readonly move: (from: string, to: string) => Promise<void>;
}

async function grow(files: Readonly<Record<string, string>> = {}): Promise<Tree> {
	const path = await mkdtemp(join(tmpdir(), "cairn-watched-"));
	roots.push(path);
	const tree: Tree = {
		path,
		files: new Map(),
		write: async (name, text) => {
			await mkdir(dirname(join(path, name)), { recursive: true });
			await writeFile(join(path, name), text);
			writes++;
			await utimes(join(path, name), 1_700_000_000 + writes, 1_700_000_000 + writes);
			tree.files.set(name, text);
		},
		remove: async (name) => {
			await rm(join(path, name));
			tree.files.delete(name);
		},
		move: async (from, to) => {
			await mkdir(dirname(join(path, to)), { recursive: true });
			await rename(join(path, from), join(path, to));
			tree.files.set(to, tree.files.get(from) ?? "");
			tree.files.delete(from);
		},
	};
	for (const [name, text] of Object.entries(files)) await tree.write(name, text);
	return tree;
}
let writes = 0;

async function refusalOf(run: () => unknown): Promise<ServiceError> {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
}

const startOn = (folders: readonly string[], log?: Log, own = "") =>
	startConnector(folder({ folders: [...folders] }), { ...createConnectorHost([], log), folder: own });

interface Options {
	readonly cursor?: Cursor | null;
	readonly documentsMax?: number;
	readonly include?: string;
	readonly exclude?: string;
}

async function syncOnce({ path }: Pick<Tree, "path">, { cursor = null, documentsMax = 1_000, ...more }: Options = {}, allowed = path, own = "") {
	const connector = await startOn([allowed], undefined, own);
	const step = createStep();
	const changes: Change[] = [];
	for await (const change of connector.sync(connector.configure({ path, ...more }, documentsMax), cursor, step)) changes.push(change);
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	const after = changes.at(-1)?.cursor();
	return {
		...{ puts, removed, keys: puts.map(({ key }) => key), warnings: step.warnings.map(({ code }) => code) },
		cursor: after === undefined ? cursor : kept(after),
	};
}

async function scene() {
	const tree = await grow({ "a.md": "words of a", "deep/b.txt": "words of b", "deep/c.txt": "words of c" });
	return {
		start: (log: Log) => startOn([tree.path], log),
		metadata: { path: tree.path },
		nonsense: [
			{ metadata: {}, key: "path" },
			{ metadata: { path: "notes" }, key: "path" },
			{ metadata: { path: tree.path, include: "notes" }, key: "include" },
		],
		refused: { path: "/" },
		there: () => new Map(tree.files),
		change: async () => {
			await tree.write("a.md", "other words");
			await tree.remove("deep/b.txt");
			await tree.write("new.md", "words of the new one");
		},
		stall: () => undefined,
		close: async () => undefined,
	};
}

for (const contractTest of [...pluginContract(folder), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("what may be read", () => {
	test("no folder at all, unless the operator allows one above it", async () => {
		const tree = await grow({ "a/b/c.md": "c", "ab/d.md": "d" });
		const checked = async (path: string, folders: readonly string[]) => {
			const connector = await startOn(folders);
			return connector.check?.(connector.configure({ path }, 10), createStep());
		};
		await checked(join(tree.path, "a/b"), [join(tree.path, "a")]);
		await checked(join(tree.path, "a"), [join(tree.path, "a")]);
		for (const [path, folders] of [
			["a", []],
			["ab", ["a"]],
			["", ["a"]],
			["a/../ab", ["a"]],
			["nowhere", ["a"]],
		] as const) {
			const error = await refusalOf(() =>
				checked(
					`${tree.path}/${path}`,
					folders.map((one) => join(tree.path, one)),
				),
			);
			expect([path, error.code, error.message.includes("CAIRN_FOLDERS")]).toEqual([path, "CONNECTION_FORBIDDEN", true]);
		}
		expect((await refusalOf(() => checked(join(tree.path, "a/nowhere"), [tree.path]))).code).toBe("CONNECTION_SOURCE_MISSING");
	});

	test("no symbolic link leads out, neither of a file nor of a folder, nor by the chosen folder itself", async () => {
		const [tree, outside] = [await grow({ "a.md": "a" }), await grow({ "secret.md": "secret" })];
		await symlink(join(outside.path, "secret.md"), join(tree.path, "link.md"));
		await symlink(outside.path, join(tree.path, "linked"));
		await symlink(tree.path, join(tree.path, "circle"));
		const { keys, warnings } = await syncOnce(tree);
		expect([keys, warnings]).toEqual([["a.md"], ["FOLDER_LINKS_SKIPPED"]]);
		const error = await refusalOf(() => syncOnce({ path: join(tree.path, "linked") }, {}, tree.path));
		expect(error.code).toBe("CONNECTION_FORBIDDEN");
	});

	test("a folder that becomes a link while the sync runs is not read through", async () => {
		const [tree, outside] = [await grow({ "a.md": "a", "deep/b.md": "mine" }), await grow({ "b.md": "secret" })];
		const connector = await startOn([tree.path]);
		const step = createStep();
		const keys: string[] = [];
		for await (const change of connector.sync(connector.configure({ path: tree.path }, 10), null, step)) {
			if (change.kind === "checkpoint") {
				await rm(join(tree.path, "deep"), { recursive: true });
				await symlink(outside.path, join(tree.path, "deep"));
			}
			if (change.kind === "put") keys.push(change.item.key);
		}
		expect([keys, step.warnings.map(({ code }) => code)]).toEqual([["a.md"], ["FOLDER_FILE_FAILED"]]);
	});

	test("hidden files, empty and too large ones, and Cairn's own data are left out; patterns choose", async () => {
		const tree = await grow({
			"a.md": "a",
			".env": "KEY=1",
			".git/config": "x",
			"empty.md": "",
			"b/c.pdf": "%PDF",
			"b/d.md": "d",
			"data/sqlite/x": "x",
			"data/vault-key": "k",
		});
		await writeFile(join(tree.path, "large.md"), new Uint8Array(limits.fileBytesMax + 1));
		const all = await syncOnce(tree, {}, tree.path, join(tree.path, "data/connector-folder"));
		expect([all.keys, all.warnings]).toEqual([["a.md", "b/c.pdf", "b/d.md"], ["FOLDER_FILES_SKIPPED"]]);
		expect((await syncOnce(tree, { include: "/b/**", exclude: "/**/*.pdf" })).keys).toEqual(["b/d.md"]);
		const error = await refusalOf(() => syncOnce({ path: join(tree.path, "data") }, {}, tree.path, join(tree.path, "data/connector-folder")));
		expect(error.code).toBe("CONNECTION_FORBIDDEN");
	});
});

describe("what changes", () => {
	test("a file comes with its path and time", async () => {
		const tree = await grow({ "deep/day one.md": "# Day one" });
		const [item] = (await syncOnce(tree)).puts;
		expect(item).toMatchObject({
			content: { kind: "file", fileName: "day one.md", address: null },
			metadata: { folder: tree.path, path: "deep/day one.md", modifiedAt: expect.stringMatching(/^2023-11-/) },
		});
	});

	test("files that cannot be read keep none of the others, however many there are", async () => {
		const tree = await grow(Object.fromEntries(["b1", "b2", "b3", "b4", "b5", "b6", "z"].map((name) => [`${name}.md`, name])));
		const connector = await startOn([tree.path]);
		const [read, step] = [[] as string[], createStep()];
		for await (const change of connector.sync(connector.configure({ path: tree.path }, 100), null, step)) {
			if (change.kind === "put") read.push(change.item.key);
			if (read.length > 0) continue;
			for (const name of ["b1", "b2", "b3", "b4", "b5", "b6"]) {
				await tree.remove(`${name}.md`);
				await symlink("/etc/hostname", join(tree.path, `${name}.md`));
			}
		}
		expect([read, step.warnings.length]).toEqual([["z.md"], 6]);
	});

	test("a file with another name keeps its document, and the old name is free for another file", async () => {
		const tree = await grow({ "a.md": "words of a", "b.md": "words of b" });
		const first = await syncOnce(tree);
		await tree.move("a.md", "deep/renamed.md");
		const second = await syncOnce(tree, first);
		expect([second.keys, second.removed, second.puts[0]?.metadata["path"]]).toEqual([["a.md"], [], "deep/renamed.md"]);
		expect((await syncOnce(tree, second)).keys).toEqual([]);
		await tree.write("a.md", "another file");
		await tree.write("a.md#2", "a file with an odd name");
		const third = await syncOnce(tree, second);
		expect([third.keys, third.removed]).toEqual([["a.md#3", "a.md#2"], []]);
		expect((await syncOnce(tree, third)).keys).toEqual([]);
		await tree.remove("deep/renamed.md");
		const fourth = await syncOnce(tree, third);
		expect([fourth.keys, fourth.removed]).toEqual([[], ["a.md"]]);
		await tree.move("a.md", "z.md");
		const fifth = await syncOnce(tree, fourth);
		expect([fifth.keys, fifth.removed]).toEqual([["a.md#3"], []]);
	});

	test("a file that was renamed and changed is another one; of two copies one takes the place", async () => {
		const tree = await grow({ "a.md": "words of a" });
		const first = await syncOnce(tree);
		await tree.remove("a.md");
		await tree.write("b.md", "words of b");
		const second = await syncOnce(tree, first);
		expect([second.keys, second.removed]).toEqual([["b.md"], ["a.md"]]);
		await tree.remove("b.md");
		await tree.write("c.md", "words of b");
		await tree.write("d.md", "words of b");
		const third = await syncOnce(tree, second);
		expect([third.keys.toSorted(), third.removed]).toEqual([["b.md", "d.md"], []]);
	});

	test("a new file never drives out an old one", async () => {
		const tree = await grow({ "m.md": "m", "n.md": "n" });
		const first = await syncOnce(tree, { documentsMax: 2 });
		await tree.write("a.md", "a");
		expect((await syncOnce(tree, { ...first, documentsMax: 2 })).keys).toEqual([]);
		await tree.remove("n.md");
		const third = await syncOnce(tree, { ...first, documentsMax: 2 });
		expect([third.removed, third.keys]).toEqual([["n.md"], ["a.md"]]);
	});

	test("a new file with the content of one that the system says nothing of does not take its document", async () => {
		const tree = await grow({ "a.md": "the same", "deep/b.md": "b" });
		const first = await syncOnce(tree);
		const [connector, step] = [await startOn([tree.path]), createStep()];
		const happenings = [
			() => undefined,
			() => {
				rmSync(join(tree.path, "deep"), { recursive: true });
				symlinkSync("deep", join(tree.path, "deep"));
			},
		];
		writeFileSync(join(tree.path, "copy.md"), "b");
		const changed: string[] = [];
		const progress = () => happenings.shift()?.();
		for await (const change of connector.sync(connector.configure({ path: tree.path }, 100), first.cursor, { ...step, progress }))
			if (change.kind === "put") changed.push(change.item.key);
			else if (change.kind === "remove") changed.push(`no ${change.key}`);
		expect([changed, step.warnings.map(({ code }) => code)]).toEqual([["copy.md"], ["FOLDER_UNREADABLE"]]);
	});

	test("files that the system says nothing of keep their documents; those that go while the folder is looked through are gone", async () => {
		const long = `deep/${"long ".repeat(45)}name.md`;
		const tree = await grow({ "a.md": "a", "deep/b.md": "b", "deep/c.md": "c", [long]: "d", "gone/e.md": "e", "was/f.md": "f" });
		const first = await syncOnce(tree);
		await tree.move("deep/c.md", "deep/renamed.md");
		const { cursor } = await syncOnce(tree, first);
		const [connector, step] = [await startOn([tree.path]), createStep()];
		// Told when a folder is listed, before its files are looked at: the chosen one first.
		const at = (name: string) => join(tree.path, name);
		const happenings = [
			() => undefined,
			() => {
				rmSync(at("deep"), { recursive: true });
				symlinkSync("deep", at("deep"));
			},
			() => rmSync(at("gone"), { recursive: true }),
			() => {
				rmSync(at("was"), { recursive: true });
				writeFileSync(at("was"), "a file");
			},
		];
		const removed: string[] = [];
		const progress = () => happenings.shift()?.();
		for await (const change of connector.sync(connector.configure({ path: tree.path }, 100), cursor, { ...step, progress }))
			if (change.kind === "remove") removed.push(change.key);
		expect([happenings.length, removed, step.warnings.map(({ code }) => code)]).toEqual([0, ["gone/e.md", "was/f.md"], ["FOLDER_UNREADABLE"]]);
	});

	test("a folder that is gone or empty, as a disk that is not mounted, keeps its documents", async () => {
		const tree = await grow({ "a.md": "a" });
		const first = await syncOnce(tree);
		await tree.remove("a.md");
		expect(await refusalOf(() => syncOnce(tree, first))).toMatchObject({ code: "CONNECTION_SOURCE_MISSING" });
		await rm(tree.path, { recursive: true });
		expect(await refusalOf(() => syncOnce(tree, first, dirname(tree.path)))).toMatchObject({ code: "CONNECTION_SOURCE_MISSING" });
	});
});

test("hundreds of files through kills come as they are, and so do changes, renames and removals", async () => {
	const count = 300;
	const tree = await grow(Object.fromEntries(Array.from({ length: count }, (_, i) => [`part-${i % 7}/${i}.txt`, `words of ${i}`])));
	const enduring = { start: () => startOn([tree.path]), metadata: { path: tree.path }, kills: 6 };
	const documents: Documents = new Map();
	const first = await endure(enduring, documents, null);
	expect([...documents].toSorted()).toEqual([...tree.files].toSorted());
	expect(first.puts.length - count).toBeLessThan(first.attempts * 11);

	await tree.write("part-1/1.txt", "changed words");
	await tree.write("new.txt", "words of the new one");
	await tree.remove("part-2/2.txt");
	for (let i = 100; i < 120; i++) await tree.move(`part-${i % 7}/${i}.txt`, `moved/${i}.txt`);
	const second = await endure({ ...enduring, kills: 3 }, documents, first.cursor);
	const moved = Array.from({ length: 20 }, (_, i) => `part-${(i + 100) % 7}/${i + 100}.txt`);
	expect([[...new Set(second.puts)].toSorted(), [...new Set(second.removed)]]).toEqual([[...moved, "new.txt", "part-1/1.txt"].toSorted(), ["part-2/2.txt"]]);
	expect([...documents.values()].toSorted()).toEqual([...tree.files.values()].toSorted());
	expect((await endure({ ...enduring, kills: 0 }, documents, second.cursor)).puts).toEqual([]);
});

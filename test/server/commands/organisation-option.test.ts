/** `--organisation` of the commands that open the store themselves: which one they work on, and that the others stay as they are. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { watch } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OrganisationId } from "cairn-memory";
import { keyRecord, makeKey } from "../../../server/auth/keys.ts";
import { runCommand } from "../../../server/commands/run-command.ts";
import { startTestServer, type TestClient } from "../../doubles/test-server.ts";

/** Each copy of the folder is opened several times, which a busy machine takes seconds for. */
const patienceMs = 120_000;
const common = "The quagga grazes beside the kudu in the evening.";

let folder: string;
let data: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-organisation-"));
	data = join(folder, "data");
	const server = await startTestServer(["--use-embedder=hashing"], {}, { folder: data });
	for (const [id, name] of Object.entries({ first: "Harbour", second: "Quarry", third: "Quarry" })) {
		const client = server.clientWith(await addOrganisation(id as OrganisationId, name));
		ids[id] = await add(client, `${common} This one is of the ${id}.`);
	}
	await server.dispose();

	async function addOrganisation(id: OrganisationId, name: string): Promise<string> {
		const { accounts } = server.parts.storage;
		const key = makeKey(id);
		await accounts.addOrganisation({ id, name, slug: id, createdAt: new Date(Date.UTC(2026, 0, Object.keys(ids).length + 1)) });
		await accounts.addKey(keyRecord(key, "test", id, server.parts.world));
		return key;
	}
}, patienceMs);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function add(client: TestClient, content: string): Promise<string> {
	const answer = await client.send("POST", "/v3/documents", { content, customId: "note", containerTag: "zoo" });
	const { id } = (await answer.json()) as { readonly id: string };
	expect(await client.finished(id)).toMatchObject({ status: "done" });
	return id;
}

async function run(dataDir: string, ...words: readonly string[]) {
	const printed: string[] = [];
	const tell = (text: string) => void printed.push(text);
	const env = { CAIRN_DATA_DIR: dataDir, CAIRN_USE_EMBEDDER: "hashing" };
	const code = await runCommand({ args: words, env, write: tell, writeError: tell }).catch((thrown: unknown) => {
		tell(String(thrown));
		return null;
	});
	return { code, said: printed.join("") };
}

/** The ids of the documents in an export. */
async function exported(dataDir: string, ...words: readonly string[]): Promise<readonly string[]> {
	const file = join(folder, `${crypto.randomUUID()}.jsonl`);
	expect(await run(dataDir, "export", file, ...words)).toMatchObject({ code: 0 });
	const lines = (await readFile(file, "utf8")).trim().split("\n");
	return lines.map((line) => JSON.parse(line) as { readonly type: string; readonly id: string }).flatMap(({ type, id }) => (type === "document" ? [id] : []));
}

test(
	"an export has one organisation, and says which others there are",
	async () => {
		expect(await exported(data)).toEqual([ids["first"] ?? ""]);
		expect(await exported(data, "--organisation", "second")).toEqual([ids["second"] ?? ""]);
		expect(await exported(data, "--organisation=Harbour")).toEqual([ids["first"] ?? ""]);
		expect((await run(data, "export", join(folder, "some.jsonl"))).said).toContain("--organisation exports another: Quarry, Quarry");
	},
	patienceMs,
);

test(
	"a name of none, of several, or no name is refused with what would be right",
	async () => {
		const refused = async (...words: readonly string[]) => (await run(data, "export", join(folder, "none.jsonl"), ...words)).said;
		expect(await refused("--organisation", "Mill")).toContain("there is no organisation Mill; there are Harbour (first), Quarry (second), Quarry (third)");
		expect(await refused("--organisation", "Quarry")).toContain("several organisations are called Quarry: use the id of one of them, second, third");
		expect(await refused("--organisation")).toContain("--organisation needs a value");
		const before = await readdir(folder);
		const copies = watch(folder);
		const made: string[] = [];
		copies.on("change", (_, name) => made.push(String(name)));
		expect(await refused("--organisation", "Mill")).toContain("there is no organisation Mill");
		copies.close();
		expect([await readdir(folder), made]).toEqual([before, []]);
	},
	patienceMs,
);

test(
	"an erasure takes the document of one organisation, and what the others have is no trace of it",
	async () => {
		const copy = join(folder, "copy");
		await cp(data, copy, { recursive: true });
		const { code, said } = await run(copy, "erase", "note", "--prove", "--organisation", "second");
		expect([code, said]).toEqual([0, expect.stringMatching(/^note: 1 documents .*\n.*; [1-9]\d* more pieces also occur in the remaining data/)]);
		expect((await run(copy, "erase", "note", "--organisation", "second")).said).toContain("there is no container or document named note");
		expect([await exported(copy, "--organisation=first"), await exported(copy, "--organisation=second")]).toEqual([[ids["first"] ?? ""], []]);
	},
	patienceMs,
);

test(
	"an import goes into the organisation that is named, which has to be there",
	async () => {
		const copy = join(folder, "target");
		const file = join(folder, "second.jsonl");
		await cp(data, copy, { recursive: true });
		await run(data, "export", file, "--organisation", "second");
		await run(copy, "erase", "note", "--organisation", "second");
		expect((await run(copy, "import", file, "--organisation", "Mill")).said).toContain("there is no organisation Mill");
		expect((await run(copy, "import", file, "--organisation", "second")).said).toContain("1 documents and");
		expect(await exported(copy, "--organisation", "second")).toEqual([ids["second"] ?? ""]);
	},
	patienceMs,
);

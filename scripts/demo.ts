/** `npm run demo`: a server on a temporary folder reads the example documents, then answers questions about them. */

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { createLog } from "../server/boot/log.ts";
import { startServer } from "../server/boot/start-server.ts";
import { createWorld } from "../server/boot/world.ts";
import { readSettings } from "../server/settings/read-settings.ts";
import { type Client, createClient, type DocumentState } from "./demo/client.ts";
import { createBoard } from "./demo/progress-board.ts";
import { showMemories, showPassages } from "./demo/show-hits.ts";

const examples = resolve(import.meta.dir, "../examples/documents");
const containerTag = "workshop";
const pollEveryMs = 40;

/** Each is answered by one of the documents. */
const questions = [
	"torque for pedals in newton metres",
	"when does the lease end",
	"which brake pads are recalled",
	"studded tyre for ice",
	"where is the air pump",
	"what stopped the night ride",
	"who chooses the truing stand",
];
const aboutPeople = ["what is Leonie allergic to", "where does Leonie live now"];

const folder = await mkdtemp(join(tmpdir(), "cairn-demo-"));
const settings = readSettings({ env: {}, flags: ["--port=0", `--data-dir=${folder}`, "--log-level=error"] });
const world = createWorld({ log: createLog({ level: "error", write: (line) => process.stderr.write(line) }) });
const server = await startServer(settings, {}, world);
try {
	console.log(`\n  Cairn listens on ${server.url} for the time of this demo\n`);
	const client = createClient(server.url, server.newKey ?? "");
	await readExamples(client);
	console.log("\n  Documents: /v3/search\n");
	for (const question of questions) showPassages(question, await client.searchDocuments(question, containerTag));
	console.log("  Memories: /v4/search\n");
	for (const question of aboutPeople) showMemories(question, await client.searchMemories(question, containerTag));
	console.log("  Start a server of your own with: npm start\n");
} finally {
	await server.stop();
	await rm(folder, { recursive: true, force: true });
}

async function readExamples(client: Client): Promise<void> {
	const names = (await readdir(examples)).filter((name) => name !== "README.md").sort((a, b) => extname(a).localeCompare(extname(b)));
	const board = createBoard(names, process.stdout);
	await Promise.all(
		names.map(async (name) => {
			const startedAt = performance.now();
			const id = await client.upload(join(examples, name), containerTag);
			let document: DocumentState;
			do {
				await Bun.sleep(pollEveryMs);
				document = await client.get(id);
				board.show(name, document, performance.now() - startedAt);
			} while (!isFinished(document));
		}),
	);
}

function isFinished({ status, dreamingStatus }: DocumentState): boolean {
	return status === "failed" || (status === "done" && dreamingStatus === "done");
}

/** An erasure is killed: the same command goes on, and then none of a thousand strings is in any file. */

import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { bytesIn } from "../../doubles/folder-bytes.ts";
import { startServerProcess } from "../../doubles/server-process.ts";
import { quietly, spawnCommand } from "./run-cairn.ts";
import type { Scene } from "./scene.ts";
import { ask, env, settled } from "./talk.ts";

const strings = 1_000;
const kept = 20;
const perDocument = 10;

/** Letters alone, and in no other word. */
const nameOf = (i: number) => `zqx${[...String(i).padStart(4, "0")].map((digit) => "abcdefghij"[Number(digit)]).join("")}vw`;

export async function killErasure(parent: string, random: () => number): Promise<Scene> {
	const original = join(parent, "to-erase");
	if (!(await readdir(parent)).includes("to-erase")) await fill(original);
	const folder = join(parent, `erased-${crypto.randomUUID()}`);
	await cp(original, folder, { recursive: true });
	const command = spawnCommand(folder, "erase", "gone", "--prove");
	while (command.exitCode === null && !(await readdir(folder)).includes("erase-unfinished")) await Bun.sleep(1);
	await Bun.sleep(random() * 1_000);
	command.kill("SIGKILL");
	await command.exited;
	const isMet = (await readdir(folder)).includes("erase-unfinished");
	const faults: string[] = [];
	const again = await quietly(folder, "erase", "gone", "--prove");
	// A kill after the last step leaves nothing of that name.
	if (again !== 0 && (isMet || !String(again).includes("no container or document named"))) faults.push(`the erasure that goes on ends with ${again}`);
	const left = await stringsIn(folder);
	if (left > 0) faults.push(`${left} strings are left`);
	const there = await countIn(folder, /quagga number \d+ grazes/g);
	if (there !== kept) faults.push(`${there} of ${kept} documents of another container are there`);
	if ((await quietly(folder, "verify")) !== 0) faults.push("what stays is not whole");
	await rm(folder, { recursive: true });
	return { compared: strings + kept, isMet, faults };
}

async function fill(folder: string): Promise<void> {
	await mkdir(folder);
	const server = await startServerProcess(folder, env);
	const others = Array.from({ length: kept }, (_, i) => ({
		content: `Note ${i}: the quagga number ${i} grazes.`,
		customId: `kept-${i}`,
		containerTag: "kept",
	}));
	await ask(server, "POST", "/v3/documents/batch", { documents: others });
	const documents = Array.from({ length: strings / perDocument }, (_, at) => {
		const [a, b, c, d, e, f, g, h, i, j] = Array.from({ length: perDocument }, (_each, k) => nameOf(at * perDocument + k));
		const content = `# The ${a}\n\nThis tells of ${b} and a tapir.\n\nAda ${c} works at the zoo. Ada ${d} likes okapis. ${e}`;
		return { content, customId: `${f}`, title: `${g}`, metadata: { [`${h}`]: `${i}` }, filepath: `/${j}/x`, containerTag: "gone", dreaming: "instant" };
	});
	await ask(server, "POST", "/v3/documents/batch", { documents });
	await settled(server);
	// The log of writes stays as it is, and nothing is tidied up.
	await server.kill("SIGKILL");
	if ((await stringsIn(folder)) !== strings) throw new Error("not every string is in the folder to begin with");
}

const stringsIn = (folder: string) => countIn(folder, /zqx[a-j]{4}vw/g);

/** How many texts that differ the files hold, read with nothing of what is tested. */
async function countIn(folder: string, pattern: RegExp): Promise<number> {
	const found = new Set<string>();
	for (const [path, bytes] of await bytesIn(folder))
		for (const [text] of `${path}\n${bytes.toString("latin1")}`.toLowerCase().matchAll(pattern)) found.add(text);
	return found.size;
}

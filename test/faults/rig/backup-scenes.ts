/** A backup is killed, and the server with it: what is there is whole, the next one is complete, and nothing of the killed one stays for long. */

import { readdir } from "node:fs/promises";
import { backupNames, type Place, sharedFaults } from "./backup-places.ts";
import { historyAt } from "./history.ts";
import { quietlyWith, spawnBehind } from "./run-cairn.ts";
import { pause, type Scene, type Stage } from "./scene.ts";
import { ask, type Served } from "./talk.ts";

/** So many backups of a place are kept. */
export const kept = 2;
/** From the moment at which the folder of the copy is there, about as long as a backup takes. */
const msMax = { full: 300, incremental: 600, bucket: 800, served: 800 } as const;

export function fullBackup(stage: Stage): Promise<Scene> {
	return killFull(stage, "a full backup", stage.places.full);
}

export function incrementalBackup(stage: Stage): Promise<Scene> {
	return killIncremental(stage, "an incremental backup", stage.places.incremental);
}

export function bucketBackup(stage: Stage): Promise<Scene> {
	const [kill, name] =
		stage.random() < 0.5 ? ([killFull, "a full backup to a bucket"] as const) : ([killIncremental, "an incremental backup to a bucket"] as const);
	return kill(stage, name, stage.places.bucket);
}

async function killFull(stage: Stage, name: string, place: Place): Promise<Scene> {
	const file = `${crypto.randomUUID()}.tar`;
	const scene = await killCommand(stage, ["backup", place.address(file)], place, place === stage.places.bucket ? msMax.bucket : msMax.full);
	const faults = [...scene.faults];
	const isThere = (await place.files()).includes(file);
	if (isThere) faults.push(...(await verifyFaults(stage, place, [file])));
	for (const other of await place.files()) if (/^[\da-f-]{36}\.tar/.test(other) && other !== file) await place.remove(other);
	// One that is there is of a moment before the kill, and may not hold what was acknowledged after it.
	const next = isThere ? `${crypto.randomUUID()}.tar` : file;
	faults.push(...(await commandFaults(stage, place, ["backup", place.address(next)])));
	keep(stage, name, place, next);
	return { ...scene, faults: [...faults, ...(await leftFaults(stage))] };
}

async function killIncremental(stage: Stage, name: string, place: Place): Promise<Scene> {
	const words = ["backup", place.address() + (place.address().startsWith("s3:") ? "" : "/"), "--keep", String(kept)];
	const before = await backupNames(place);
	const scene = await killCommand(stage, words, place, place === stage.places.bucket ? msMax.bucket : msMax.incremental);
	const added = (await backupNames(place)).filter((each) => !before.includes(each));
	const faults = [...scene.faults, ...(await verifyFaults(stage, place, added)), ...(await commandFaults(stage, place, words))];
	faults.push(...(await sharedFaults(place)));
	if ((await place.files()).includes("lock")) faults.push(`${place.address()} stays locked`);
	keep(stage, name, place, (await backupNames(place)).at(-1) ?? "");
	return { ...scene, faults: [...faults, ...(await leftFaults(stage))] };
}

/** Kills the command at some moment after it has begun to copy, and then the server. */
async function killCommand({ live, random }: Stage, words: readonly string[], place: Place, pauseMsMax: number): Promise<Scene> {
	let isMet = false;
	let ended: number | null = null;
	const { documents, memories, faults } = await live.killWhile(async () => {
		const before = await stagedIn(live.folder);
		const command = spawnBehind([], live.folder, words, place.env);
		while (command.exitCode === null && (await stagedIn(live.folder)).every((name) => before.includes(name))) await Bun.sleep(1);
		await pause(random, pauseMsMax);
		ended = command.exitCode;
		isMet = ended === null;
		command.kill("SIGKILL");
		await command.exited;
	});
	const early = (ended ?? 0) === 0 ? [] : [`${words.join(" ")} ended with ${ended} before it was killed`];
	return { compared: documents + memories, isMet, faults: [...faults, ...early] };
}

interface Run {
	readonly id: string;
	readonly status: string;
	readonly name: string;
	readonly error: unknown;
}

/** The server takes it in a thread of its own, and is killed. */
export async function servedBackup(stage: Stage): Promise<Scene> {
	const { live, random } = stage;
	const place = stage.places.served;
	let isMet = false;
	const before = await backupNames(place);
	const checked = await live.killWhile(async (server) => {
		const { id } = await startBackup(server);
		await pause(random, msMax.served);
		isMet = (await ask<Run>(server, "GET", `/v3/backups/${id}`)).status === "running";
	});
	const faults = [...checked.faults];
	const added = (await backupNames(place)).filter((name) => !before.includes(name));
	faults.push(...(await verifyFaults(stage, place, added)));
	const again = await endOf(live.server(), (await startBackup(live.server())).id);
	if (again.status !== "done") faults.push(`the backup after the kill ends ${again.status}: ${JSON.stringify(again.error)}`);
	// A full one leaves the shared files to the next incremental one.
	else if (again.name.endsWith(".json")) faults.push(...(await sharedFaults(place)));
	const unfinished = (await place.files()).filter((name) => name.includes(".unfinished-") && !name.startsWith("objects/"));
	if (unfinished.length > 0) faults.push(`${unfinished.join()} is left in ${place.address()}`);
	keep(stage, "a backup over HTTP", place, again.name);
	return { compared: checked.documents + checked.memories, isMet, faults: [...faults, ...(await leftFaults(stage))] };
}

/** The server may be taking one on its schedule. */
async function startBackup(server: Served): Promise<Run> {
	const { running } = await ask<{ running: Run | null }>(server, "GET", "/v3/backups");
	if (running !== null) await endOf(server, running.id);
	return ask<Run>(server, "POST", "/v3/backups");
}

async function endOf(server: Served, id: string): Promise<Run> {
	for (;;) {
		const run = await ask<Run>(server, "GET", `/v3/backups/${id}`);
		if (run.status !== "running") return run;
		await Bun.sleep(20);
	}
}

/** Nobody writes meanwhile, so the last backup holds all that was acknowledged by now. */
function keep({ backups, live }: Stage, name: string, place: Place, file: string): void {
	backups.set(name, { address: place.address(file), env: place.env, history: historyAt(live.history, Number.POSITIVE_INFINITY) });
}

async function verifyFaults({ live }: Stage, place: Place, names: readonly string[]): Promise<readonly string[]> {
	const faults: string[] = [];
	for (const name of names) {
		const result = await quietlyWith(place.env, live.folder, "verify", place.address(name));
		if (result !== 0) faults.push(`${place.address(name)} is there and not whole: ${result}`);
	}
	return faults;
}

async function commandFaults({ live }: Stage, { env }: Place, words: readonly string[]): Promise<readonly string[]> {
	const result = await quietlyWith(env, live.folder, ...words);
	return result === 0 ? [] : [`${words.join(" ")} after the kill: ${result}`];
}

const stagedIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith("unfinished-backup-"));

/** The server may be taking one on its schedule. */
async function leftFaults({ live }: Stage): Promise<readonly string[]> {
	const left = (await stagedIn(live.folder)).filter((name) => !name.startsWith(`unfinished-backup-${live.server().pid}-`));
	return left.length === 0 ? [] : [`${left.join()} is left in the data folder`];
}

/** An upgrade of a folder that an earlier version has made is killed: the folder has the old schema or the new one, and everything in it. */

import { Database } from "bun:sqlite";
import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { migrations } from "../../../plugins/stores/sql/migrations.ts";
import { olderFolder } from "../../doubles/older-folder.ts";
import { listening, spawnServer, startServerProcess } from "../../doubles/server-process.ts";
import type { Scene } from "./scene.ts";
import type { Served } from "./talk.ts";

const env = { CAIRN_API_KEY: olderFolder.key, CAIRN_LOG_LEVEL: "error" };
const isWhole = (name: string) => /^schema-14-[\dT-]+Z$/.test(name);

/** @param olderVersion a checkout that is started on the folder while its schema is still the old one */
export async function killUpgrade(parent: string, random: () => number, olderVersion: string | null): Promise<Scene> {
	const original = join(parent, "older");
	if (!(await Bun.file(join(original, "vault-key")).exists())) await olderFolder.unpack(original);
	const folder = join(parent, `upgraded-${crypto.randomUUID()}`);
	await cp(original, folder, { recursive: true });
	const child = spawnServer(folder, env);
	const backups = async () => readdir(join(folder, "backups")).catch((): string[] => []);
	const waitsForCopy = random() < 0.5;
	while (!(await backups()).some((name) => !waitsForCopy || isWhole(name))) await Bun.sleep(1);
	await Bun.sleep(random() * 80);
	child.kill("SIGKILL");
	await child.exited;
	const faults: string[] = [];
	const schema = schemaOf(folder);
	const isOld = schema === olderFolder.schema;
	if (!isOld && schema !== migrations.length) faults.push(`the schema is ${schema}`);
	for (const name of (await backups()).filter(isWhole))
		if (schemaOf(join(folder, "backups", name)) !== olderFolder.schema) faults.push("the backup has another schema");
	if (isOld && olderVersion !== null) {
		faults.push(...(await countIn(await startCheckout(olderVersion, folder))));
		if (schemaOf(folder) !== olderFolder.schema)
			throw new Error(`${olderVersion} is no checkout of schema ${olderFolder.schema}: it upgraded to ${schemaOf(folder)}`);
	}
	faults.push(...(await countIn(await startServerProcess(folder, env))));
	if ((await backups()).filter(isWhole).length !== 1 || (await backups()).length !== 1) faults.push(`the backups are ${(await backups()).join()}`);
	await rm(folder, { recursive: true });
	return { compared: olderFolder.documents, isMet: isOld, faults };
}

function schemaOf(folder: string): number {
	const db = new Database(join(folder, "sqlite", "cairn.sqlite"));
	try {
		return db.query<{ n: number }, []>("SELECT count(*) AS n FROM migrations").get()?.n ?? 0;
	} finally {
		db.close();
	}
}

function startCheckout(checkout: string, folder: string) {
	const command = [process.execPath, "--no-install", join(checkout, "server/main.ts")];
	const variables = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", PORT: "0", CAIRN_DATA_DIR: folder, ...env };
	return listening(Bun.spawn(command, { env: variables, cwd: folder, stdout: "pipe", stderr: "pipe" }));
}

async function countIn(server: Served & { readonly kill: (signal: NodeJS.Signals) => Promise<number> }): Promise<readonly string[]> {
	const headers = { authorization: `Bearer ${olderFolder.key}`, "content-type": "application/json" };
	const answer = await fetch(`${server.address}/v3/documents/list`, { method: "POST", headers, body: JSON.stringify({ limit: 1 }) });
	const { pagination } = (await answer.json()) as { pagination: { totalItems: number } };
	await server.kill("SIGTERM");
	return pagination.totalItems === olderFolder.documents ? [] : [`there are ${pagination.totalItems} documents`];
}

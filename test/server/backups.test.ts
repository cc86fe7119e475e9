/** Backups over HTTP: for administrators, one at a time, with their progress, and what is said when they fail or are not configured. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { runCommand } from "../../server/commands/run-command.ts";
import { backupRunSchema, backupsSchema } from "../../server/wire/v3/organisation/backups.ts";
import { startTestServer, type TestClient } from "../doubles/test-server.ts";
import { until } from "../doubles/until.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-backups-http-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Run {
	readonly id: string;
	readonly status: string;
	readonly name: string | null;
	readonly bytesDone: number;
	readonly bytesTotal: number;
	readonly error: { readonly code: string; readonly message: string } | null;
}

interface List {
	readonly place: string | null;
	readonly running: Run | null;
	readonly lastFailure: Run | null;
	readonly backups: readonly { readonly name: string; readonly kind: string }[];
}

async function ask<Body>(client: TestClient, method: string, path: string, status = 200, schema: TSchema | null = null): Promise<Body> {
	const answer = await client.send(method, path);
	const text = await answer.text();
	expect([answer.status, text]).toEqual([status, text]);
	if (schema !== null) expect([...Value.Errors(schema, JSON.parse(text))]).toEqual([]);
	return JSON.parse(text) as Body;
}

const ended = (client: TestClient, id: string) =>
	until(async () => {
		const run = await ask<Run>(client, "GET", `/v3/backups/${id}`, 200, backupRunSchema);
		return run.status === "running" ? null : run;
	});

test.each(["full", "incremental"])(
	"one is taken on request (%s), shows its progress, is listed and can be restored",
	async (kind) => {
		const [place, data] = [join(folder, kind), join(folder, `data-${kind}`)];
		await mkdir(data);
		const server = await startTestServer([`--backup-dir=${place}`, `--backup-kind=${kind}`, "--backups-kept=1"], {}, { folder: data });
		try {
			const admin = await server.client();
			const { id } = (await (await admin.send("POST", "/v3/documents", { content: "The heron stood still." })).json()) as { id: string };
			await admin.finished(id);
			expect(await ask<List>(admin, "GET", "/v3/backups", 200, backupsSchema)).toMatchObject({
				place,
				kind,
				everyHours: 24,
				kept: 1,
				running: null,
				backups: [],
			});
			const begun = await ask<Run>(admin, "POST", "/v3/backups", 202, backupRunSchema);
			expect(begun).toMatchObject({ status: "running", error: null });
			expect(await ask<object>(admin, "POST", "/v3/backups", 409)).toMatchObject({ code: "BACKUP_RUNNING" });
			expect((await ask<List>(admin, "GET", "/v3/backups", 200, backupsSchema)).running).toMatchObject({ id: begun.id });
			const done = await ended(admin, begun.id);
			expect(done).toMatchObject({ status: "done", error: null });
			expect([done.bytesDone > 0, done.bytesDone]).toEqual([true, done.bytesTotal]);
			const again = await ask<Run>(admin, "POST", "/v3/backups", 202);
			await ended(admin, again.id);
			// The one that was refused is not among them.
			const { events } = await ask<{ events: readonly { type: string; subject: string; facts: object }[] }>(admin, "GET", "/v3/audit");
			const started = events.filter(({ type }) => type === "backup.started");
			expect(started.map(({ subject }) => subject)).toEqual([begun.id, again.id]);
			expect(started[0]?.facts).toMatchObject({ by: expect.any(String), place });
			// One is kept.
			const { backups, lastFailure } = await ask<List>(admin, "GET", "/v3/backups", 200, backupsSchema);
			expect([backups.length, backups[0]?.kind, lastFailure]).toEqual([1, kind, null]);
			expect(await readdir(place)).toContain(backups[0]?.name ?? "");
			const quiet = { write: () => undefined, writeError: () => undefined };
			expect(await runCommand({ args: ["verify", place], env: { CAIRN_DATA_DIR: data }, ...quiet })).toBe(0);
			expect(await ask<object>(admin, "GET", "/v3/backups/nothing", 404)).toMatchObject({ code: "BACKUP_MISSING" });
			for (const key of await narrowKeys(admin)) {
				expect((await server.clientWith(key).send("GET", "/v3/backups")).status).toBe(403);
				expect((await server.clientWith(key).send("POST", "/v3/backups")).status).toBe(403);
			}
		} finally {
			await server.dispose();
		}
		expect((await readdir(data)).filter((name) => name.startsWith("unfinished"))).toEqual([]);
	},
	120_000,
);

async function narrowKeys(admin: TestClient): Promise<readonly string[]> {
	await admin.send("PATCH", "/v3/container-tags/family", { name: "Family" });
	const keys = [
		["/v3/auth/scoped-key", { containerTag: "family" }],
		["/v3/auth/agent-key", { name: "writer", permission: "write" }],
	] as const;
	return Promise.all(keys.map(async ([path, body]) => ((await (await admin.send("POST", path, body)).json()) as { readonly key: string }).key));
}

test("one that fails says why, and the next may be asked for", async () => {
	const place = join(folder, "a-file");
	await writeFile(place, "not a folder");
	const server = await startTestServer([`--backup-dir=${place}`]);
	try {
		const admin = await server.client();
		const { error } = await ended(admin, (await ask<Run>(admin, "POST", "/v3/backups", 202)).id);
		expect(error).toMatchObject({ code: "STORAGE_UNREACHABLE" });
		await ended(admin, (await ask<Run>(admin, "POST", "/v3/backups", 202)).id);
		expect(await ask<object>(admin, "GET", "/v3/backups", 503)).toMatchObject({ code: "STORAGE_UNREACHABLE" });
	} finally {
		await server.dispose();
	}
}, 60_000);

test("without a place for them none is taken, and a bucket without keys is refused at the start", async () => {
	const server = await startTestServer();
	try {
		const admin = await server.client();
		expect(await ask<List>(admin, "GET", "/v3/backups", 200, backupsSchema)).toMatchObject({ place: null, backups: [], running: null });
		expect(await ask<object>(admin, "POST", "/v3/backups", 409)).toMatchObject({ code: "BACKUPS_OFF" });
	} finally {
		await server.dispose();
	}
	const refused = await startTestServer(["--backup-dir=s3://bucket/x"]).then(String, (thrown: Error) => thrown.message);
	expect(refused).toContain("the backup target s3://bucket cannot be used: it needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY as well");
	const unfit = await startTestServer(["--backup-dir=s3://"]).then(String, (thrown: Error) => thrown.message);
	expect(unfit).toContain("setting --backup-dir is not valid");
}, 60_000);

/** `npm run doctor` tells whose the original files in a bucket are: nobody's yet, this server's, another's, or those of a copy too. It claims nothing. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type S3Peer, startS3Peer } from "../doubles/s3-peer.ts";
import { startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "doctor-bucket-key-000001";
const script = resolve(import.meta.dir, "../../scripts/doctor.ts");
const mark = "cairn/owner";

let folder: string;
let peer: S3Peer;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-doctor-bucket-"));
	peer = await startS3Peer();
});
afterAll(async () => {
	peer.close();
	await rm(folder, { recursive: true, force: true });
});

const markThere = () => Buffer.from(peer.objects.get(mark) ?? "").toString();
const settings = (prefix: string) => ({ ...peer.env, CAIRN_BLOBS_URL: peer.address(prefix), CAIRN_LOG_LEVEL: "error" });

async function doctor(data: string, prefix = "cairn"): Promise<{ readonly code: number; readonly printed: string }> {
	const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", CAIRN_DATA_DIR: data, ...settings(prefix) };
	const child = Bun.spawn([process.execPath, script], { env, cwd: folder, stdout: "pipe", stderr: "pipe" });
	const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
	return { code, printed: out + err };
}

/** A server with one file, which has come to an end. */
async function served(name: string): Promise<string> {
	const data = join(folder, name);
	await mkdir(data);
	const server = await startServerProcess(data, { ...settings("cairn"), CAIRN_API_KEY: key });
	const form = new FormData();
	form.append("file", new File([`A note of ${name}.`], "note.txt", { type: "text/plain" }));
	const uploaded = await fetch(`${server.address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
	const { id } = (await uploaded.json()) as { id: string };
	await until(async () => {
		const read = await fetch(`${server.address}/v3/documents/${id}`, { headers: { authorization: `Bearer ${key}` } });
		return ((await read.json()) as { status: string }).status === "done";
	});
	expect(await server.kill("SIGTERM")).toBe(0);
	return data;
}

test("of two servers on one bucket and prefix the second is told, and so is the first of a copy", async () => {
	expect(await doctor(join(folder, "none"))).toEqual({ code: 0, printed: expect.stringMatching(/owner +none yet/) });
	expect([...peer.objects.keys()]).toEqual([]);

	const first = await served("first");
	expect(await doctor(first)).toEqual({ code: 0, printed: expect.stringMatching(/owner +this server\n/) });

	const own = markThere();
	expect(own).toMatch(/^[0-9a-f]{24}-\d+$/);
	const second = join(folder, "second");
	const other = expect.stringContaining(`they are of another server; if they are of this one alone, set CAIRN_BLOBS_CLAIM=${own} and restart it`);
	expect(await doctor(second)).toEqual({ code: 1, printed: other });
	expect(await doctor(second, "elsewhere")).toEqual({ code: 0, printed: expect.stringMatching(/owner +none yet/) });
	expect(markThere()).toBe(own);

	// As a copy leaves it that has gone on without this database.
	const [id = "", turn = ""] = own.split("-");
	peer.objects.set(mark, `${id}-${Number(turn) + 1}`);
	const copy = join(folder, "copy");
	await cp(first, copy, { recursive: true });
	expect(await doctor(copy)).toEqual({ code: 1, printed: expect.stringContaining("a copy of this database has been there") });
}, 240_000);

test("a bucket that refuses is told with its reason", async () => {
	peer.trouble = () => 403;
	const { code, printed } = await doctor(join(folder, "none"));
	peer.trouble = () => null;
	expect([code, printed]).toEqual([1, expect.stringMatching(/✗ the bucket documents cannot be used: .*403[\s\S]*\(BUCKET_UNAVAILABLE\)/)]);
}, 60_000);

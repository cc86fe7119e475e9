/** `Idempotency-Key` on a real socket, where Bun's own router hands over the requests: paths with ids, big uploads, and a kill in between. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "sm_test_0123456789abcdef";

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-socket-"));
	server = await startServerProcess(folder, { CAIRN_API_KEY: key });
});
afterAll(async () => {
	await server.kill("SIGKILL");
	await rm(folder, { recursive: true, force: true });
});

const send = (method: string, path: string, body: BodyInit | null, name: string | null) =>
	fetch(`${server.address}${path}`, { method, body, headers: { authorization: `Bearer ${key}`, ...(name === null ? {} : { "idempotency-key": name }) } });
const told = async (answer: Response) => [answer.status, answer.headers.get("idempotency-replayed"), await answer.text()] as const;

test("ids in the path arrive, and a repeated request is answered and not done", async () => {
	await send("POST", "/v3/documents", JSON.stringify({ content: "Otto lives in Ulm.", customId: "otto" }), null);
	const first = await told(await send("PATCH", "/v3/documents/otto", JSON.stringify({ metadata: { a: 1 } }), "change"));
	expect([first[0], first[1]]).toEqual([200, null]);
	expect(await told(await send("PATCH", "/v3/documents/otto", JSON.stringify({ metadata: { a: 1 } }), "change"))).toEqual([200, "true", first[2]]);
	expect((await send("DELETE", "/v3/documents/otto", null, "remove")).status).toBe(204);
	expect(await told(await send("DELETE", "/v3/documents/otto", null, "remove"))).toEqual([204, "true", ""]);
});

test("a big upload streams through, and what was acknowledged is still answered after a kill", async () => {
	const upload = () => {
		const form = new FormData();
		form.set("file", new File(["Otto lives in Ulm.\n".repeat(500_000)], "long.txt", { type: "text/plain" }));
		form.set("taskType", "superrag");
		return send("POST", "/v3/documents/file", form, "upload");
	};
	const first = await told(await upload());
	expect([first[0], first[1]]).toEqual([200, null]);
	await server.kill("SIGKILL");
	server = await startServerProcess(folder, { CAIRN_API_KEY: key });
	expect(await told(await upload())).toEqual([200, "true", first[2]]);
	const listed = (await (await send("POST", "/v3/documents/list", "{}", null)).json()) as { readonly pagination: { readonly totalItems: number } };
	expect(listed.pagination.totalItems).toBe(1);
});

test("a client that goes away in the middle of an upload may send it again", async () => {
	const whole = (name: string) => {
		const form = new FormData();
		form.set("file", new File(["Half of it, and the other half."], "a.txt"));
		return send("POST", "/v3/documents/file", form, name);
	};
	const { name, cutOff } = await beginUpload(whole);
	await cutOff();
	expect(
		await until(async () => {
			const { status } = await whole(name);
			return status !== 409 && status;
		}),
	).toBe(200);
});

/** Sends half a form, and makes sure that the server is reading it: that the whole one did not come before it. */
async function beginUpload(whole: (name: string) => Promise<Response>): Promise<{ readonly name: string; readonly cutOff: () => Promise<unknown> }> {
	const half = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHalf of');
	for (let i = 0; i < 20; i++) {
		const name = `half-${i}`;
		const stopping = new AbortController();
		const headers = { authorization: `Bearer ${key}`, "idempotency-key": name, "content-type": "multipart/form-data; boundary=x" };
		const body = new ReadableStream({ start: (controller) => controller.enqueue(half) });
		const sent = fetch(`${server.address}/v3/documents/file`, { method: "POST", body, headers, signal: stopping.signal }).catch(() => null);
		const cutOff = () => {
			stopping.abort();
			return sent;
		};
		await Bun.sleep(50);
		if ((await whole(name)).status === 409) return { name, cutOff };
		await cutOff();
	}
	throw new Error("half a form never came before the whole");
}

test("the operator's key opens everything again at the next start, though it was turned off", async () => {
	const json = async (method: string, path: string, body: object) =>
		(await (await send(method, path, JSON.stringify(body), null)).json()) as Record<string, unknown>;
	const second = await json("POST", "/v3/auth/agent-key", { name: "second", permission: "operator" });
	const { user } = (await (await fetch(`${server.address}/v3/session`, { headers: { "x-api-key": key } })).json()) as {
		readonly user: { readonly id: string };
	};
	await fetch(`${server.address}/v3/auth/keys/${user.id}/toggle`, { method: "PUT", headers: { "x-api-key": String(second["key"]) } });
	expect((await send("GET", "/v3/session", null, null)).status).toBe(401);
	await server.kill("SIGTERM");
	server = await startServerProcess(folder, { CAIRN_API_KEY: key });
	expect((await send("GET", "/v3/auth/keys", null, null)).status).toBe(200);
});
